// The registered applications, for operators: who runs them, where they lead, and whether they are accepted.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { partOf } from '../../../lib/part.ts';
import { activateClient, deactivateClient } from '../../../oauth/client-status.ts';
import type { Client, OwnedClient } from '../../../oauth/client-store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { wayOn } from '../../pages/pagination.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { memberCarePath } from './members.ts';
import { operatorMenu, operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/applications';
const PAGE_SIZE = 30;
const CHANGES = { activate: activateClient, deactivate: deactivateClient };
type Change = keyof typeof CHANGES;

export async function changeApplicationPage(site: SiteParts, c: PageContext): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  const t = words[c.get('visitor').language];
  const change = changeOf(c);
  const users = countOf(await site.oauth.reads.countGrants(client.id));
  return questionPage(c, {
    title: t.questions[change](client.name),
    menu: operatorMenu(c, PATH),
    explanation: html`<p>${t.users(users)}</p>
<p>${t.consequences[change]}</p>`,
    action: `${PATH}/${encodeURIComponent(client.id)}/${change}`,
    button: t.changes[change],
    isDangerous: change === 'deactivate',
    back: { path: PATH, text: t.back },
  });
}

export async function changeApplication(site: SiteParts, c: PageContext, operator: User): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  const change = changeOf(c);
  await CHANGES[change](site.oauth, byOperator(operator, site.clock), client.id);
  return c.redirect(`${PATH}?done=${change}`, 303);
}

async function clientInPath(site: SiteParts, c: PageContext): Promise<Client | undefined> {
  return site.oauth.reads.findClient(c.req.param('id') ?? '');
}

function changeOf(c: PageContext): Change {
  return c.req.param('change') === 'activate' ? 'activate' : 'deactivate';
}

export async function applicationsPage(site: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const rows = await site.oauth.reads.clientsBefore(c.req.query('before'), PAGE_SIZE + 1);
  const { items: clients, last } = partOf(rows, PAGE_SIZE);
  const done = c.req.query('done');
  return operatorPage(
    c,
    PATH,
    { title },
    html`<h1>${title}</h1>
${done === 'activate' || done === 'deactivate' ? html`<p class="notice" role="status">${t.done[done]}</p>` : ''}
${clients.length === 0 ? html`<p class="empty">${t.none}</p>` : clients.map((owned) => clientCard(owned, language))}
${wayOn(language, { on: last && { href: `${PATH}?before=${encodeURIComponent(last.client.id)}` } })}`,
  );
}

function clientCard({ client, ownerName }: OwnedClient, language: Language): Html {
  const t = words[language];
  const change = client.status === 'active' ? 'deactivate' : 'activate';
  const owner =
    client.ownerId === undefined
      ? t.nobody
      : html`<a href="${memberCarePath(client.ownerId)}">${ownerName ?? client.ownerId}</a>`;
  return html`<section class="card"><div class="row spread"><h2>${client.name}</h2><a class="button" href="${PATH}/${encodeURIComponent(client.id)}/${change}" aria-label="${t.changes[change]}: ${client.name}">${t.changes[change]}</a></div>
${client.status === 'active' ? '' : html`<p><span class="badge warning">${t.deactivated}</span></p>`}
<dl class="facts"><dt>${t.id}</dt><dd><code>${client.id}</code></dd><dt>${t.owner}</dt><dd>${owner}</dd><dt>${t.kind}</dt><dd>${t.kinds[client.kind]}</dd><dt>${t.hosts}</dt><dd>${hostsOf(client).map((host) => html`<code>${host}</code> `)}</dd><dt>${t.since}</dt><dd>${dayElement(client.createdAt, language)}</dd></dl></section>`;
}

function hostsOf({ redirectUris }: Client): string[] {
  return [...new Set(redirectUris.map((uri) => new URL(uri).host || new URL(uri).protocol))];
}

const words = bilingual(
  {
    none: 'No application is registered.',
    nobody: 'nobody of the members',
    id: 'Identifier',
    owner: 'Run by',
    kind: 'Kind',
    kinds: { confidential: 'keeps a secret', public: 'public' },
    hosts: 'Leads to',
    since: 'Registered',
    deactivated: 'deactivated',
    changes: { activate: 'Activate', deactivate: 'Deactivate' },
    questions: {
      activate: (name: string) => `Activate ${name}?`,
      deactivate: (name: string) => `Deactivate ${name}?`,
    },
    users: (count: string) => `Members who allow it now: ${count}.`,
    consequences: {
      activate: 'It can sign members in again, and what they allowed it holds again.',
      deactivate:
        'It and all its tokens are refused from its next request on. What it copied stays with it. You can take this back.',
    },
    done: { activate: 'The application is active.', deactivate: 'The application is deactivated.' },
    back: 'Back',
  },
  {
    none: '没有已注册的应用。',
    nobody: '不属于任何成员',
    id: '标识符',
    owner: '运营者',
    kind: '类型',
    kinds: { confidential: '可保密', public: '公开' },
    hosts: '跳转至',
    since: '注册于',
    deactivated: '已停用',
    changes: { activate: '启用', deactivate: '停用' },
    questions: {
      activate: (name: string) => `启用 ${name}？`,
      deactivate: (name: string) => `停用 ${name}？`,
    },
    users: (count: string) => `目前允许它的成员数：${count}。`,
    consequences: {
      activate: '它可以重新让成员登录，成员此前的授权也恢复有效。',
      deactivate:
        '从下一次请求起，它及其所有令牌都会被拒绝。它已复制的数据仍保留在该应用中。您可以随时恢复。',
    },
    done: { activate: '应用已启用。', deactivate: '应用已停用。' },
    back: '返回',
  },
);
