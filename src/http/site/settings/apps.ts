// Connected applications: what each can read, and taking it back.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import type { Client } from '../../../oauth/client-store.ts';
import type { ConnectedClient, Grant } from '../../../oauth/store.ts';
import { withdrawOwnConsent } from '../../../oauth/withdrawal.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { agoElement, clockTimeOf, dayElement } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/apps';

/** The address that applications may link their users to. */
export async function appPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  return pageOfApp(site, c, client, await site.oauth.reads.findGrant(user.id, client.id));
}

export async function removeAppPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  const grant = client && (await site.oauth.reads.findGrant(user.id, client.id));
  if (client === undefined || grant === undefined) return notFoundPage(c);
  if (grant.withdrawnAt !== undefined) return pageOfApp(site, c, client, grant);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.question(client.name),
    menu: settingsMenu(c, PATH),
    consequences: t.consequences,
    action: `${appPath(client)}/remove`,
    button: t.remove,
    back: { path: appPath(client), text: t.keep },
  });
}

export async function removeApp(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  // If it is removed already, in another window perhaps, the application's page says so.
  await withdrawOwnConsent(site.oauth, byMember(user, site.clock), client.id);
  return c.redirect(appPath(client), 303);
}

async function clientInPath(site: SiteParts, c: PageContext): Promise<Client | undefined> {
  return site.oauth.reads.findClient(c.req.param('client_id') ?? '');
}

export async function appsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, PATH);
  const connected = await site.oauth.reads.connectedClients(user.id);
  const now = site.clock();
  const item = ({ client, grant }: ConnectedClient) =>
    html`<section class="card"><div class="row spread"><h2><a href="${appPath(client)}">${client.name}</a></h2><a class="button" href="${appPath(client)}/remove" aria-label="${t.remove}: ${client.name}">${t.remove}</a></div>
<p class="chips">${grant.scopes.map((scope) => html`<span class="chip">${scope}</span>`)}${client.status === 'active' ? '' : html`<span class="badge">${t.deactivated}</span>`}</p>
<p class="meta"><span>${t.since} ${dayElement(grant.grantedAt, language)}</span><span>${t.last} ${agoElement(grant.lastAuthorizedAt, now, language)}</span></p></section>`;
  return settingsPage(
    c,
    PATH,
    { title },
    html`<h1>${title}</h1><p class="soft">${t.explanation}</p>
${connected.length === 0 ? html`<p class="empty">${t.none}</p>` : connected.map(item)}`,
  );
}

function pageOfApp(
  site: SiteParts,
  c: PageContext,
  client: Client,
  grant: Grant | undefined,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const content =
    grant === undefined
      ? html`<p>${t.neverAllowed(client.name)}</p>`
      : grant.withdrawnAt !== undefined
        ? html`<div class="notice" role="status"><strong>${t.stopped(clockTimeOf(grant.withdrawnAt))}</strong> ${t.copied}</div><p class="soft">${t.removedOn} ${dayElement(grant.withdrawnAt, language)} (UTC+8). ${t.mayAsk}</p>`
        : html`${access(site, client, grant, language)}<div class="actions"><a class="button" href="${appPath(client)}/remove">${t.remove}</a></div>`;
  return settingsPage(
    c,
    PATH,
    { title: client.name },
    html`<p class="eyebrow"><a href="${PATH}">${settingsTitle(c, PATH)}</a></p><h1>${client.name}</h1>
${client.status === 'active' ? '' : html`<p class="notice">${t.isDeactivated}</p>`}
${content}`,
  );
}

function access(site: SiteParts, client: Client, grant: Grant, language: Language): Html {
  const t = words[language];
  const hosts = [...new Set(client.redirectUris.map((uri) => new URL(uri).host || new URL(uri).protocol))];
  const item = (scope: Grant['scopes'][number]) => {
    const { name, reads, doesNotRead } = scopeWords[language][scope];
    return html`<li><strong>${name}</strong> <span class="chip">${scope}</span><br><span class="soft small">${reads} ${doesNotRead}</span></li>`;
  };
  return html`<section class="card"><h2>${t.canRead}</h2><ul class="plain">${grant.scopes.map(item)}</ul>
<dl class="facts"><dt>${t.hosts}</dt><dd>${hosts.map((host) => html`<code>${host}</code> `)}</dd><dt>${t.since}</dt><dd>${dayElement(grant.grantedAt, language)}</dd><dt>${t.last}</dt><dd>${agoElement(grant.lastAuthorizedAt, site.clock(), language)}</dd></dl></section>`;
}

function appPath({ id }: Client): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

const words = bilingual(
  {
    explanation:
      'These can read from your account, without your password and until you remove them. None can change anything.',
    none: 'No application can read from your account.',
    since: 'Allowed since',
    last: 'Last authorised',
    remove: 'Remove',
    deactivated: 'deactivated',
    isDeactivated: 'The community’s operators have deactivated this application. It reads nothing now.',
    canRead: 'What it can read',
    hosts: 'Sends you back to',
    neverAllowed: (name: string) =>
      `${name} can not read anything from your account. You have not allowed it.`,
    stopped: (time: string) => `Access stopped at ${time}.`,
    copied: 'Data it already copied stays with the application: ask its makers to delete it.',
    removedOn: 'Removed on',
    mayAsk: 'It can ask you again, and reads nothing unless you allow it anew.',
    question: (name: string) => `Remove ${name}?`,
    consequences: [
      'Its access stops at once, on every device where you signed in with it.',
      'Data it already copied stays with the application.',
      'It can ask you again. Nothing is shared unless you allow it anew.',
    ],
    keep: 'Keep it',
  },
  {
    explanation: '这些应用可以读取您的账号信息，不需要您的密码，直到您移除它们。它们都不能更改任何内容。',
    none: '没有应用可以读取您的账号信息。',
    since: '首次允许',
    last: '最近授权',
    remove: '移除',
    deactivated: '已停用',
    isDeactivated: '社区管理员已停用此应用，它现在无法读取任何内容。',
    canRead: '它可以读取',
    hosts: '会把您送回',
    neverAllowed: (name: string) => `${name} 无法读取您账号中的任何内容，您没有允许过它。`,
    stopped: (time: string) => `访问已于 ${time} 停止。`,
    copied: '它此前复制的数据仍保留在该应用中：如需删除，请联系其开发者。',
    removedOn: '移除日期：',
    mayAsk: '它可以再次向您请求，除非您重新允许，否则无法读取任何内容。',
    question: (name: string) => `移除 ${name}？`,
    consequences: [
      '它的访问会立即停止，包括您用它登录过的所有设备。',
      '它此前复制的数据仍保留在该应用中。',
      '它可以再次向您请求；除非您重新允许，否则不会共享任何内容。',
    ],
    keep: '保留',
  },
);
