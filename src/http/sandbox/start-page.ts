// The front page of the sandbox: what it is, and the button that starts a set.

import { html } from 'hono/html';
import { bilingual } from '../pages/language.ts';
import { minuteOf } from '../pages/moments.ts';
import { page, visitorFormTokenField } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { type SandboxParts, setOfBrowser } from './set-guards.ts';

export function startPage(parts: SandboxParts, c: PageContext): Promise<Response> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const set = setOfBrowser(parts, c);
  return page(
    c,
    { title: c.get('site').name },
    html`
      <h1>${t.title}</h1>
      <p class="lead">${t.nothingReal}</p>
      <p>${t.has}</p>
      <ul>${t.parts.map((part) => html`<li>${part}</li>`)}</ul>
      ${set !== undefined && html`<p class="notice">${t.until(minuteOf(set.endsAt, visitor))}</p>`}
      <form method="post" action="/sandbox/start">
        ${visitorFormTokenField(c)}
        <div class="actions">
          <button${set === undefined && html` class="primary"`}>${set === undefined ? t.start : t.startOver}</button>
          ${set !== undefined && html`<a class="button primary" href="/sandbox">${t.open}</a>`}
        </div>
      </form>
      <p class="soft">${t.alone} <a href="/docs/sandbox">${t.docs}</a></p>`,
  );
}

const words = bilingual(
  {
    title: 'A sandbox for developers',
    nothingReal:
      'This is a sandbox. Nothing here is real, and everything is erased after 24 hours or when the server restarts.',
    has: 'Your sandbox gets, for you alone:',
    parts: [
      'three test members: one with many posts, one who writes Chinese, and one with an empty profile',
      'a test application with a client ID, a secret and callback addresses on your own computer',
      'access tokens that expire after 10 seconds, so that your refresh is tried at once',
      'faults on demand: 429, 503, a rotated key, an expired code, a replayed refresh token, withdrawn consent',
    ],
    until: (time: string) => `You have a sandbox. It is erased on ${time}.`,
    start: 'Start',
    open: 'Open your sandbox',
    startOver: 'Erase it and start over',
    alone: 'No sign-up, no email, and nobody else sees what you do.',
    docs: 'How to use the sandbox',
  },
  {
    title: '开发者沙盒',
    nothingReal: '这是沙盒。这里的一切都不是真实的，24 小时后或服务器重启时全部清除。',
    has: '启动后，您会得到只属于您的：',
    parts: [
      '三个测试成员：一个有许多文章，一个用中文写作，一个资料为空',
      '一个测试应用，带有客户端 ID、密钥和指向您本机的回调地址',
      '10 秒后过期的访问令牌，马上就能检验您的刷新逻辑',
      '可随时触发的故障：429、503、更换密钥、过期的授权码、重复使用的刷新令牌、撤回授权',
    ],
    until: (time) => `您已有一个沙盒，它将于${time}清除。`,
    start: '开始',
    open: '打开您的沙盒',
    startOver: '清除并重新开始',
    alone: '无需注册，不发邮件，其他人看不到您的操作。',
    docs: '如何使用沙盒',
  },
);
