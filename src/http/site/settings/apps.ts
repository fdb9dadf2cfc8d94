// Connected applications: what each can read, and how to remove its access.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import type { Client } from '../../../oauth/client-store.ts';
import type { Scope } from '../../../oauth/scope.ts';
import type { ConnectedClient, Grant } from '../../../oauth/store.ts';
import { withdrawOwnConsent } from '../../../oauth/withdrawal.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { agoElement, clockTimeOf, dayElement, offsetOf } from '../../pages/moments.ts';
import type { Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/apps';

/** Show what one application can read. Applications may link to this page. */
export async function appPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  return pageOfApp(site, c, client, await site.oauth.reads.findGrant(user.id, client.id, site.clock()));
}

/** Ask before an application's access is removed. */
export async function removeAppPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  const grant = client && (await site.oauth.reads.findGrant(user.id, client.id, site.clock()));
  if (client === undefined || grant === undefined) return notFoundPage(c);
  if (grant.withdrawnAt !== undefined) return pageOfApp(site, c, client, grant);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.question(client.name),
    menu: settingsMenu(c, PATH),
    consequences: t.consequences,
    action: `${appPath(client)}/remove`,
    button: t.remove,
    back: { path: appPath(client), text: t.cancel },
  });
}

/** Remove an application's access. */
export async function removeApp(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  // If the access was removed before, in another window perhaps, the application's page says so.
  await withdrawOwnConsent(byMember(user, site.clock, site.clientAddress(c)), site.oauth, client.id);
  return c.redirect(appPath(client), 303);
}

async function clientInPath(site: SiteParts, c: PageContext): Promise<Client | undefined> {
  return site.oauth.reads.findClient(c.req.param('client_id') ?? '');
}

/** List the connected applications. */
export async function appsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, PATH);
  const clients = await site.oauth.reads.connectedClients(user.id, site.clock());
  const now = site.clock();
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation}</p>
      ${clients.map((client) => clientCard(client, now, c.get('visitor')))}
      ${clients.length === 0 && html`<p class="empty">${t.none}</p>`}`,
  );
}

function clientCard({ client, grant }: ConnectedClient, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const path = appPath(client);
  return html`
    <section class="card">
      <div class="row spread">
        <h2><a href="${path}">${client.name}</a></h2>
        <a class="button" href="${path}/remove" aria-label="${t.remove}: ${client.name}">${t.remove}</a>
      </div>
      <p class="chips">
        ${grant.scopes.map((scope) => html`<span class="chip">${scope}</span>`)}
        ${client.status !== 'active' && html`<span class="badge">${t.deactivated}</span>`}
      </p>
      <p class="meta">
        <span>${t.since} ${dayElement(grant.grantedAt, locale)}</span>
        <span>${t.last} ${agoElement(grant.lastAuthorizedAt, now, locale)}</span>
      </p>
    </section>`;
}

function pageOfApp(
  site: SiteParts,
  c: PageContext,
  client: Client,
  grant: Grant | undefined,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  return settingsPage(
    c,
    PATH,
    { title: client.name },
    html`
      <p class="eyebrow"><a href="${PATH}">${settingsTitle(c, PATH)}</a></p>
      <h1>${client.name}</h1>
      ${client.status !== 'active' && html`<p class="notice">${t.isDeactivated}</p>`}
      ${accessOf(client, grant, site.clock(), c.get('visitor'))}`,
  );
}

function accessOf(client: Client, grant: Grant | undefined, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  if (grant === undefined) return html`<p>${t.neverAllowed(client.name)}</p>`;
  if (grant.withdrawnAt !== undefined) return removal(grant.withdrawnAt, locale);
  return html`
    ${accessCard(client, grant, now, locale)}
    <div class="actions">
      <a class="button" href="${appPath(client)}/remove">${t.remove}</a>
    </div>`;
}

function removal(withdrawnAt: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  return html`
    <div class="notice" role="status">
      <strong>${t.stopped(clockTimeOf(withdrawnAt, locale))}</strong>
      ${t.copied}
    </div>
    <p class="soft">
      ${t.removedOn} ${dayElement(withdrawnAt, locale)} (${offsetOf(withdrawnAt, locale)}). ${t.mayAsk}
    </p>`;
}

function accessCard(client: Client, grant: Grant, now: Timestamp, locale: Locale): Html {
  const { language } = locale;
  const t = words[language];
  const hosts = [...new Set(client.redirectUris.map((uri) => new URL(uri).host || new URL(uri).protocol))];
  return html`
    <section class="card">
      <h2>${t.canRead}</h2>
      <ul class="plain">${grant.scopes.map((scope) => scopeItem(scope, language))}</ul>
      <dl class="facts">
        <dt>${t.hosts}</dt>
        <dd>${hosts.map((host) => html`<code>${host}</code> `)}</dd>
        <dt>${t.since}</dt>
        <dd>${dayElement(grant.grantedAt, locale)}</dd>
        <dt>${t.last}</dt>
        <dd>${agoElement(grant.lastAuthorizedAt, now, locale)}</dd>
      </dl>
    </section>`;
}

function scopeItem(scope: Scope, language: Language): Html {
  const { name, reads, doesNotRead } = scopeWords[language][scope];
  return html`
    <li>
      <strong>${name}</strong>
      <span class="chip">${scope}</span>
      <br>
      <span class="soft small">${reads} ${doesNotRead}</span>
    </li>`;
}

function appPath({ id }: Client): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

const words = bilingual(
  {
    explanation:
      'These applications can read data from your account until you remove their access. They don’t know your password and can’t change anything.',
    none: 'No applications are connected to your account.',
    since: 'Connected on',
    last: 'Last authorised',
    remove: 'Remove access',
    deactivated: 'Deactivated',
    isDeactivated:
      'The operators of this community have deactivated this application. It can’t read anything now.',
    canRead: 'What it can read',
    hosts: 'Sends you back to',
    neverAllowed: (name: string) =>
      `${name} can’t read anything from your account. You have never connected it.`,
    stopped: (time: string) => `Access stopped at ${time}.`,
    copied: 'Data it already copied stays with the application. Ask its developer to delete it.',
    removedOn: 'Removed on',
    mayAsk: 'The application can ask for access again. It can’t read anything unless you allow it.',
    question: (name: string) => `Remove ${name}’s access?`,
    consequences: [
      'Its access stops at once, on every device where you signed in with it.',
      'Data it already copied stays with the application.',
      'The application can ask for access again. Nothing is shared unless you allow it.',
    ],
    cancel: 'Cancel',
  },
  {
    explanation:
      '在您移除其访问权限之前，这些应用可以读取您的账号信息。它们不知道您的密码，也不能更改任何内容。',
    none: '没有已连接的应用。',
    since: '连接于',
    last: '最近授权',
    remove: '移除访问权限',
    deactivated: '已停用',
    isDeactivated: '社区管理员已停用此应用，它现在无法读取任何内容。',
    canRead: '它可以读取',
    hosts: '完成后返回',
    neverAllowed: (name: string) => `${name} 无法读取您账号中的任何内容，您从未连接过它。`,
    stopped: (time: string) => `访问已于 ${time} 停止。`,
    copied: '它此前复制的数据仍保留在该应用中。如需删除，请联系其开发者。',
    removedOn: '移除日期：',
    mayAsk: '它可以再次向您请求授权。除非您允许，否则它无法读取任何内容。',
    question: (name: string) => `移除 ${name} 的访问权限？`,
    consequences: [
      '它的访问会立即停止，包括您用它登录过的所有设备。',
      '它此前复制的数据仍保留在该应用中。',
      '它可以再次向您请求授权。除非您允许，否则不会共享任何内容。',
    ],
    cancel: '取消',
  },
);
