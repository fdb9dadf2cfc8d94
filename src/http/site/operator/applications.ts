// The registered applications, for operators: owner, type, callback host, and whether each is active.

import { html } from 'hono/html';
import { partOf } from '../../../lib/part.ts';
import type { Client, OwnedClient } from '../../../oauth/client-store.ts';
import type { EndpointState } from '../../../oauth/event-store.ts';
import { clientMark } from '../../pages/client-mark.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { requestsPath } from '../../routes.ts';
import { appPathOf, isOfNobody } from '../developers/frame.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { changePath } from './application-change.ts';
import { documentFacts, noOwner } from './document-facts.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';
import { WAITING_APPLICATIONS_PATH, waitingApplicationsPage } from './waiting-applications.ts';

const PATH = '/operator/applications';
const PAGE_SIZE = 30;
const MOST_COUNTED = 100;

/** List the applications, a page at a time, or those that wait for approval. */
export async function applicationsPage(site: SiteParts, c: PageContext): Promise<Response> {
  if (c.req.query('state') === 'waiting') return waitingApplicationsPage(site, c);
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const [rows, waiting] = await Promise.all([
    site.oauth.reads.clientsBefore(c.req.query('before'), PAGE_SIZE + 1),
    site.oauth.reads.countWaitingClients(MOST_COUNTED),
  ]);
  const { items: clients, last } = partOf(rows, PAGE_SIZE);
  const change = c.req.query('done');
  const isChange = change === 'activate' || change === 'deactivate';
  const nextPath = last && `${PATH}?before=${encodeURIComponent(last.client.id)}`;
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${notice(isChange ? t.done[change] : undefined)}
      ${waiting > 0 && html`<p><a href="${WAITING_APPLICATIONS_PATH}">${waitingText(c, waiting, MOST_COUNTED)}</a></p>`}
      ${await Promise.all(clients.map((owned) => clientCard(site, c, owned)))}
      ${clients.length === 0 && html`<p class="empty">${t.none}</p>`}
      ${neighbourLinks(language, { next: nextPath === undefined ? undefined : { href: nextPath } })}`,
  );
}

async function clientCard(
  site: SiteParts,
  c: PageContext,
  { client, ownerName }: OwnedClient,
): Promise<Html> {
  const endpoints = await site.oauth.reads.endpointStates(client.id);
  const locale = c.get('visitor');
  const { language } = locale;
  const t = words[language];
  const isDeleted = client.deactivation === 'deleted';
  return html`
    <section class="card">
      <div class="row spread">
        <div class="title">${clientMark(client, client.logo)}<h2>${client.name}</h2></div>
        ${!isDeleted && html`<div class="row">${await clientLinks(site, client, t)}</div>`}
      </div>
      ${client.status === 'active' ? '' : html`<p><span class="badge warning">${stateOf(client, t)}</span></p>`}
      <dl class="facts">
        <dt>${t.id}</dt>
        <dd><code>${client.id}</code></dd>
        <dt>${t.owner}</dt>
        <dd>${ownerLink(client, ownerName, language)}</dd>
        ${documentFacts(client, language)}
        <dt>${t.kind}</dt>
        <dd>${t.kinds[client.kind]}</dd>
        <dt>${t.hosts}</dt>
        <dd>${hostsOf(client).map((host) => html`<code>${host}</code> `)}</dd>
        <dt>${t.requests}</dt>
        <dd><a href="${requestsPath(client.id)}">${t.show}</a></dd>
        <dt>${t.since}</dt>
        <dd>${dayElement(client.createdAt, locale)}</dd>
        ${endpoints.map((endpoint) => endpointFacts(endpoint, language))}
      </dl>
    </section>`;
}

async function clientLinks(site: SiteParts, client: Client, t: Words): Promise<Html> {
  const { name, status, deactivation } = client;
  const canKeepOff = deactivation === 'owner' || deactivation === 'suspension';
  const link = (text: string, path: string) =>
    html`<a class="button" href="${path}" aria-label="${text}: ${name}">${text}</a>`;
  const change = status === 'active' ? 'deactivate' : 'activate';
  return html`
    ${(await isOfNobody(site, client)) && link(t.manage, appPathOf(client))}
    ${
      deactivation === 'approval'
        ? link(t.review, WAITING_APPLICATIONS_PATH)
        : link(t.changes[change], changePath(client, change))
    }
    ${canKeepOff && link(t.keepOff, changePath(client, 'deactivate'))}`;
}

function stateOf({ deactivation }: Client, t: Words): string {
  if (deactivation === 'deleted') return t.deleted;
  if (deactivation === 'refused') return t.refused;
  if (deactivation === 'suspension') return t.suspended;
  return deactivation === 'approval' ? t.waiting : t.deactivated;
}

function endpointFacts(
  { kind, url, waiting, givenUp, problem, disabledAt }: EndpointState,
  language: Language,
): Html {
  const t = words[language];
  return html`
    <dt>${t.endpoints[kind]}</dt>
    <dd>
      <code>${new URL(url).host}</code>
      ${disabledAt !== undefined && html`<span class="badge warning">${t.disabled}</span>`}
      <br>${t.counts(waiting, givenUp)}
      ${problem !== undefined && html`<br><span class="soft small">${t.lastError} ${problem}</span>`}
    </dd>`;
}

function ownerLink(
  { ownerId, documentUrl }: Client,
  ownerName: string | undefined,
  language: Language,
): Html | string {
  const t = words[language];
  if (documentUrl !== undefined) return noOwner(language);
  if (ownerId === undefined) return t.byOperators;
  return html`<a href="${manageMemberPath(ownerId)}">${ownerName ?? ownerId}</a>`;
}

function hostsOf({ redirectUris }: Client): string[] {
  return [...new Set(redirectUris.map((uri) => new URL(uri).host || new URL(uri).protocol))];
}

/** Say how many applications or logos wait. */
export function waitingText(c: PageContext, count: number, most: number): string {
  return words[c.get('visitor').language].toReview(`${countOf(count)}${count === most ? '+' : ''}`);
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    none: 'No applications yet. Members register them under “Your applications”.',
    byOperators: 'Added by the operators',
    id: 'Client ID',
    owner: 'Owner',
    kind: 'Type',
    kinds: { confidential: 'Server app', public: 'Browser or native app' },
    hosts: 'Callback host',
    since: 'Registered',
    requests: 'Requests',
    show: 'Show requests',
    deactivated: 'Deactivated',
    waiting: 'Waiting for approval',
    refused: 'Not approved',
    suspended: 'Deactivated while its owner is suspended',
    manage: 'Manage',
    review: 'Review',
    toReview: (count: string) =>
      count === '1' ? 'Review 1 waiting application' : `Review ${count} waiting applications`,
    deleted: 'Deleted by its owner',
    endpoints: { webhook: 'Webhook', logout: 'Logout tokens' },
    disabled: 'Turned off',
    counts: (waiting: number, givenUp: number) => `${waiting} waiting, ${givenUp} given up in 30 days`,
    lastError: 'Last error:',
    changes: { activate: 'Activate', deactivate: 'Deactivate' },
    keepOff: 'Keep deactivated',
    done: {
      activate: 'Application activated. Members can sign in with it again.',
      deactivate: 'Application deactivated. Its tokens have stopped working.',
    },
  },
  {
    none: '还没有应用。成员可在“您的应用”中注册。',
    byOperators: '由管理员添加',
    id: '客户端 ID',
    owner: '所有者',
    kind: '类型',
    kinds: { confidential: '机密客户端', public: '公开客户端' },
    hosts: '回调主机',
    since: '注册于',
    requests: '请求',
    show: '查看请求',
    deactivated: '已停用',
    waiting: '等待批准',
    refused: '未批准',
    suspended: '所有者被暂停期间停用',
    manage: '管理',
    review: '审核',
    toReview: (count) => `审核 ${count} 个等待批准的应用`,
    deleted: '已被所有者删除',
    endpoints: { webhook: 'Webhook', logout: '退出令牌' },
    disabled: '已停止发送',
    counts: (waiting: number, givenUp: number) => `待发送 ${waiting} 个，30 天内放弃 ${givenUp} 个`,
    lastError: '最近一次错误：',
    changes: { activate: '启用', deactivate: '停用' },
    keepOff: '保持停用',
    done: {
      activate: '应用已启用，成员可以再次用它登录。',
      deactivate: '应用已停用，它的令牌均已失效。',
    },
  },
);
