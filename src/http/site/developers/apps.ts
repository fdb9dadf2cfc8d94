// The applications that a member owns.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { countMembers } from '../../../oauth/member-count.ts';
import { mayRegister } from '../../../oauth/own-client.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import { type Html, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { appPathOf, CONSOLE_PATH, consoleTitle, statusBadge } from './frame.ts';
import { offerCard, offerProblem } from './offers.ts';

/** List them, with a link to the form for a new one. */
export async function appsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = consoleTitle(c);
  const clients = (await site.oauth.reads.clientsOf(user.id)).filter(isListed);
  const offers = await site.oauth.reads.clientsOfferedTo(user.id, site.clock());
  const problem = offerProblem(c);
  const canRegister = mayRegister(c.get('site').applications, user);
  return page(
    c,
    { title },
    html`
      <div class="row spread">
        <h1>${title}</h1>
        ${canRegister && html`<a class="button primary" href="${CONSOLE_PATH}/new">${t.register}</a>`}
      </div>
      <p class="soft">${t.explanation} <a href="/docs">${t.docs}</a></p>
      ${sandboxHint(site, c)}
      ${problem !== undefined && html`<p class="notice wrong" role="alert">${problem}</p>`}
      ${!canRegister && html`<p class="notice">${t.operatorsOnly}</p>`}
      ${offers.map((offer) => offerCard(c, offer))}
      ${await Promise.all(clients.map((client) => card(site, c, client)))}
      ${clients.length === 0 && html`<p class="empty">${t.none}</p>`}
      <p class="soft">${t.script} <a href="/settings/tokens">${t.token}</a></p>`,
  );
}

/** Where to try an application before it meets members, if this community has a sandbox. */
export function sandboxHint({ sandboxUrl }: SiteParts, c: PageContext): Html | '' {
  const t = words[c.get('visitor').language];
  if (sandboxUrl === undefined) return '';
  return html`<p class="soft">${t.sandbox} <a href="${sandboxUrl}/">${t.openSandbox}</a></p>`;
}

function isListed({ deactivation }: Client): boolean {
  return deactivation !== 'deleted';
}

async function card({ oauth }: SiteParts, c: PageContext, client: Client): Promise<Html> {
  const t = words[c.get('visitor').language];
  const members = countOf(await countMembers(oauth, client));
  return html`
    <section class="card">
      <div class="row spread">
        <h2><a href="${appPathOf(client)}">${client.name}</a></h2>
        ${statusBadge(c, client)}
      </div>
      <dl class="facts">
        <dt>${t.id}</dt>
        <dd><code>${client.id}</code></dd>
        <dt>${t.kind}</dt>
        <dd>${t.kinds[client.kind]}</dd>
        <dt>${t.members}</dt>
        <dd>${members}</dd>
        <dt>${t.since}</dt>
        <dd>${dayElement(client.createdAt, c.get('visitor'))}</dd>
      </dl>
    </section>`;
}

const words = bilingual(
  {
    register: 'Register application',
    explanation: 'An application signs members in, and reads what each of them allows.',
    docs: 'Read the documentation',
    sandbox: 'Try it with test members and faults first.',
    openSandbox: 'Open the sandbox',
    operatorsOnly: 'In this community, only operators register applications. Ask them to register yours.',
    none: 'You have no applications yet.',
    script: 'A script that reads only your own data needs no application.',
    token: 'Create an API token instead',
    id: 'Client ID',
    kind: 'Type',
    kinds: { confidential: 'Server app', public: 'Browser or native app' },
    members: 'Members',
    since: 'Registered',
  },
  {
    register: '注册应用',
    explanation: '应用可以让成员登录，并读取每位成员允许的内容。',
    docs: '阅读文档',
    sandbox: '先用测试成员和故障来检验应用。',
    openSandbox: '打开沙盒',
    operatorsOnly: '本社区只有管理员可以注册应用，请联系管理员代为注册。',
    none: '您还没有应用。',
    script: '如果脚本只读取您自己的数据，则不需要注册应用。',
    token: '改为创建 API 令牌',
    id: '客户端 ID',
    kind: '类型',
    kinds: { confidential: '机密客户端', public: '公开客户端' },
    members: '成员数',
    since: '注册于',
  },
);
