// The page for what a community has and a sandbox does not.

import { html } from 'hono/html';
import { bilingual } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';

export function notOfferedPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.title, status: 404 },
    html`
      <h1>${t.title}</h1>
      <p>${t.explanation}</p>
      <p><a class="button primary" href="/sandbox">${t.back}</a></p>`,
  );
}

const words = bilingual(
  {
    title: 'Not in the sandbox',
    explanation:
      'There is no such page, or only communities have it: the sandbox has no lists of posts, no search, no sign-up, no writing, no uploads and no email.',
    back: 'Open your sandbox',
  },
  {
    title: '沙盒中没有此页面',
    explanation: '此页面不存在，或者只有社区才有：沙盒没有文章列表、搜索、注册、写作、上传和邮件功能。',
    back: '打开您的沙盒',
  },
);
