// The page of a set: its application, its members, and the faults.

import { html } from 'hono/html';
import type { User } from '../../identity/user.ts';
import type { SandboxSet } from '../../sandbox/sets.ts';
import { bilingual } from '../pages/language.ts';
import { minuteOf } from '../pages/moments.ts';
import { type Html, page, visitorFormTokenField } from '../pages/page.ts';
import { memberPath } from '../pages/post-path.ts';
import type { PageContext } from '../pages/visitor.ts';
import { COPY_SCRIPT } from '../static-files.ts';
import type { FaultName } from './fault-acts.ts';
import { faultCards } from './fault-cards.ts';
import { faultWords } from './fault-words.ts';
import type { SandboxParts } from './set-guards.ts';

export async function setPage(parts: SandboxParts, c: PageContext, set: SandboxSet): Promise<Response> {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const members = await membersOf(parts, set);
  return page(
    c,
    { title: t.title, script: COPY_SCRIPT },
    html`
      <h1>${t.title}</h1>
      <p>${t.until(minuteOf(set.endsAt, visitor))}</p>
      ${applicationCard(parts, c, set)}
      <section class="card">
        <h2>${t.members}</h2>
        <p>${t.membersHint}</p>
        <p>${t.password} <code>${set.password}</code></p>
        ${membersTable(c, set, members)}
      </section>
      <h2 id="faults">${t.faults}</h2>
      ${confirmation(c)}
      <p>${t.faultsHint}</p>
      ${faultCards(c, set, members)}
      <section class="card">
        <h2>${t.erase}</h2>
        <p>${t.eraseHint}</p>
        ${form(c, 'erase', html`<button class="danger">${t.eraseNow}</button>`)}
      </section>`,
  );
}

async function membersOf({ identity }: SandboxParts, set: SandboxSet): Promise<User[]> {
  const members = await Promise.all(set.members.map(({ id }) => identity.reads.findUser(id)));
  return members.filter((member) => member !== undefined);
}

function confirmation(c: PageContext): Html | '' {
  const { language } = c.get('visitor');
  const name = c.req.query('done') ?? '';
  const confirmations = faultWords[language];
  const { cancelled, reactivated } = words[language];
  const other: Record<string, string> = { cancel: cancelled, reactivated };
  const text = Object.hasOwn(confirmations, name) ? confirmations[name as FaultName].done : other[name];
  return text === undefined ? '' : html`<p class="notice" role="status">${text}</p>`;
}

function applicationCard({ site }: SandboxParts, c: PageContext, set: SandboxSet): Html {
  const t = words[c.get('visitor').language];
  // Only its owner has its pages in the console.
  const isOwner = c.get('visitor').visit?.user.id === set.members[0]?.id;
  const settings = [
    `ISSUER=${site.baseUrl}`,
    `CLIENT_ID=${set.clientId}`,
    `CLIENT_SECRET=${set.clientSecret}`,
  ];
  return html`
    <section class="card">
      <h2>${t.application}</h2>
      <p>${t.applicationHint}</p>
      <div class="copied stacked">
        <pre id="settings" tabindex="0" aria-label="${t.settings}">${settings.join('\n')}</pre>
        <button type="button" hidden data-copy="settings" data-done="${t.copied}" aria-live="polite">${t.copy}</button>
      </div>
      <p>${t.callbacks} <code>http://127.0.0.1:4000/callback</code> ${t.moreCallbacks}
        ${isOwner ? html`<a href="/developers/apps/${set.clientId}">${t.console}</a>` : t.signInAsOwner}</p>
    </section>`;
}

function membersTable(c: PageContext, set: SandboxSet, members: readonly User[]): Html {
  const t = words[c.get('visitor').language];
  return html`
    <table>
      <thead><tr><th scope="col">${t.member}</th><th scope="col">${t.has}</th><td></td></tr></thead>
      <tbody>
        ${members.map(
          (member, index) => html`
          <tr>
            <th scope="row"><a href="${memberPath(member.username)}">${member.username}</a></th>
            <td data-label="${t.has}">${t.kinds[set.members[index]?.kind ?? 'empty']}</td>
            <td>${memberAct(c, member)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
}

function memberAct(c: PageContext, { id, status, username }: User): Html | string {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  if (visit?.user.id === id) return t.current;
  if (status === 'closed') return t.closed;
  const member = html`<input type="hidden" name="member" value="${id}">`;
  const whose = html`<span class="unseen">${username}</span>`;
  return status === 'active'
    ? form(c, 'sign-in', html`${member}<button class="link">${t.signIn} ${whose}</button>`)
    : form(
        c,
        'faults',
        html`${member}<button class="link" name="fault" value="reactivated">${t.reactivate} ${whose}</button>`,
      );
}

function form(c: PageContext, act: 'sign-in' | 'faults' | 'erase', fields: Html): Html {
  return html`
    <form method="post" action="/sandbox/${act}">
      ${visitorFormTokenField(c)}
      ${fields}
    </form>`;
}

const words = bilingual(
  {
    title: 'Your sandbox',
    until: (time: string) =>
      `Nothing here is real. Everything is erased on ${time}, or when the server restarts.`,
    application: 'Your test application',
    applicationHint: 'A server app with all scopes. These are the settings of the sample applications:',
    settings: 'Settings',
    copy: 'Copy',
    copied: 'Copied',
    callbacks: 'Callback address:',
    moreCallbacks: 'and others on your own computer.',
    console: 'Change it, see its requests, or register another',
    signInAsOwner: 'To change it or see its requests, sign in as the first member.',
    members: 'Test members',
    membersHint:
      'You are signed in as one of them, so your application’s sign-in leads to the consent page. Switch with one click.',
    password: 'To sign in elsewhere, all have the password',
    member: 'Member',
    has: 'Purpose',
    kinds: {
      english: '27 posts, long and short, with tags and emoji; owns the application',
      chinese: 'Chinese name, bio and posts, with rare characters',
      empty: 'No bio and no posts',
    },
    current: 'Signed in',
    closed: 'Closed',
    signIn: 'Sign in',
    reactivate: 'Reactivate',
    reactivated: 'The member is active again.',
    faults: 'Faults',
    faultsHint:
      'Press a button, then use your application. The requests and their refusals are in the console, with the rule that failed.',
    cancelled: 'Cancelled. No request is to fail.',
    erase: 'Erase',
    eraseHint: 'Erases your members, applications and tokens now.',
    eraseNow: 'Erase your sandbox',
  },
  {
    title: '您的沙盒',
    until: (time) => `这里的一切都不是真实的。所有内容将于${time}或服务器重启时清除。`,
    application: '您的测试应用',
    applicationHint: '一个拥有全部权限的机密客户端。以下是示例应用所需的设置：',
    settings: '设置',
    copy: '复制',
    copied: '已复制',
    callbacks: '回调地址：',
    moreCallbacks: '以及本机的其他地址。',
    console: '修改应用、查看请求或注册新应用',
    signInAsOwner: '如需修改应用或查看请求，请登录为第一个成员。',
    members: '测试成员',
    membersHint: '您已作为其中一人登录，因此您的应用发起登录时会直接进入授权页面。点击即可切换成员。',
    password: '在别处登录时，所有成员的密码都是',
    member: '成员',
    has: '用途',
    kinds: {
      english: '27 篇文章：长文、短文、标签、表情符号；应用的所有者',
      chinese: '中文名字、简介和文章，含生僻字',
      empty: '没有简介，也没有文章',
    },
    current: '已登录',
    closed: '已注销',
    signIn: '登录',
    reactivate: '恢复',
    reactivated: '该成员已恢复。',
    faults: '故障',
    faultsHint: '按下按钮，然后使用您的应用。控制台会显示这些请求及其被拒绝的原因。',
    cancelled: '已取消，不会再有请求失败。',
    erase: '清除',
    eraseHint: '立即清除您的成员、应用和令牌。',
    eraseNow: '清除您的沙盒',
  },
);
