// One connected application: what it can read, its sign-ins, and how to narrow, pause, or remove its access.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { partOf } from '../../../lib/part.ts';
import type { DiaryLine } from '../../../oauth/access-diary-store.ts';
import type { Client, Deactivation } from '../../../oauth/client-store.ts';
import type { Scope } from '../../../oauth/scope.ts';
import type { Grant, SignIn } from '../../../oauth/store.ts';
import { clientMark } from '../../pages/client-mark.ts';
import { dayBars } from '../../pages/day-bars.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { agoElement, clockTimeOf, countOf, dayElement, offsetOf } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { scopeWords } from '../../pages/scope-words.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { clientInPath } from './app-acts.ts';
import { appPath, changesSince, stateLine } from './app-parts.ts';
import { appsWords } from './apps-words.ts';
import { diaryDays, requestsByDay } from './diary-days.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/apps';
const MOST_SIGN_INS = 100;

/** Show what one application can read. Applications may link to this page. */
export async function appPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  const grant = await site.oauth.reads.findGrant(user.id, client.id, site.clock());
  return pageOfApp(site, c, user, client, grant);
}

/** Ask before an application's access is removed. */
export async function removeAppPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  const grant = client && (await site.oauth.reads.findGrant(user.id, client.id, site.clock()));
  if (client === undefined || grant === undefined) return notFoundPage(c);
  if (grant.withdrawnAt !== undefined) return pageOfApp(site, c, user, client, grant);
  const t = appsWords[c.get('visitor').language];
  return questionPage(c, {
    title: t.removeQuestion(client.name),
    menu: settingsMenu(c, PATH),
    consequences: t.consequences,
    action: `${appPath(client)}/remove`,
    button: t.remove,
    back: { path: appPath(client), text: t.cancel },
  });
}

async function pageOfApp(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  grant: Grant | undefined,
): Promise<Response> {
  const t = appsWords[c.get('visitor').language];
  const owner = client.ownerId === undefined ? undefined : await site.identity.reads.findUser(client.ownerId);
  const developer = developerOf(client, owner?.username, t.operators);
  const isRefused = client.documentUrl !== undefined && c.get('site').documents === 'refused';
  const isInForce = grant !== undefined && grant.withdrawnAt === undefined;
  return settingsPage(
    c,
    PATH,
    { title: client.name },
    html`
      <p class="eyebrow"><a href="${PATH}">${settingsTitle(c, PATH)}</a></p>
      <div class="title">
        ${clientMark(client)}
        <h1>${client.name}</h1>
      </div>
      <p class="soft">
        ${client.claimedName === undefined ? html`${t.by} ${developer}` : t.claims(client.claimedName)}
      </p>
      ${client.description !== '' && html`<p>${client.description}</p>`}
      ${grant !== undefined && changesSince(c, client, grant)}
      ${notice(isInForce && c.req.query('saved') !== undefined ? t.saved : undefined)}
      ${isRefused && client.status === 'active' && html`<p class="notice">${t.notAccepted}</p>`}
      ${client.status !== 'active' && html`<p class="notice">${t.states[shownState(client)]}</p>`}
      ${grant === undefined && html`<p>${t.neverAllowed(client.name)}</p>`}
      ${grant?.withdrawnAt !== undefined && removal(c, grant, grant.withdrawnAt, developer)}
      ${isInForce && (await access(site, c, user, client, grant))}
      ${await readings(site, c, user, client)}
      ${grant !== undefined && receiptForm(c, client)}`,
  );
}

// Other members aren't told that the developer's account is suspended.
function shownState({ deactivation = 'operators' }: Client): Exclude<Deactivation, 'suspension'> {
  return deactivation === 'suspension' ? 'operators' : deactivation;
}

function developerOf(
  { documentUrl, name }: Client,
  owner: string | undefined,
  operators: string,
): Html | string {
  if (documentUrl !== undefined) return name;
  return owner === undefined ? operators : html`<a href="/u/${encodeURIComponent(owner)}">@${owner}</a>`;
}

function removal(c: PageContext, { endsAt }: Grant, withdrawnAt: number, developer: Html | string): Html {
  const visitor = c.get('visitor');
  const t = appsWords[visitor.language];
  return html`
    <div class="notice" role="status">
      <strong>${t.stopped(clockTimeOf(withdrawnAt, visitor))}</strong>
      ${t.copied} ${t.ask} ${developer}.
    </div>
    <p class="soft">
      ${withdrawnAt === endsAt ? t.endedOn : t.removedOn}
      ${dayElement(withdrawnAt, visitor)} (${offsetOf(withdrawnAt, visitor)}). ${t.mayAsk}
    </p>`;
}

async function access(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  grant: Grant,
): Promise<Html> {
  const visitor = c.get('visitor');
  const t = appsWords[visitor.language];
  const hosts = [...new Set(client.redirectUris.map((uri) => new URL(uri).host || new URL(uri).protocol))];
  return html`
    <section class="card">
      ${stateLine(client, grant, visitor)}
      ${scopeForm(c, client, grant)}
      <dl class="facts">
        <dt>${t.hosts}</dt>
        <dd>${hosts.map((host) => html`<code>${host}</code> `)}</dd>
        <dt>${t.since}</dt>
        <dd>${dayElement(grant.grantedAt, visitor)}</dd>
        <dt>${t.lastAllowed}</dt>
        <dd>${agoElement(grant.lastAuthorizedAt, site.clock(), visitor)}</dd>
      </dl>
      <div class="actions">
        ${pauseForm(c, client, grant)}
        <a class="button danger" href="${appPath(client)}/remove">${t.remove}</a>
      </div>
      <p class="soft small">${grant.pausedAt === undefined ? t.pauseMeans : t.resumeMeans}</p>
    </section>
    ${await signIns(site, c, user, client)}`;
}

function scopeForm(c: PageContext, client: Client, { scopes }: Grant): Html {
  const t = appsWords[c.get('visitor').language];
  const canNarrow = scopes.length > 1;
  return html`
    <form method="post" action="${appPath(client)}/scopes">
      ${formTokenField(c)}
      <fieldset class="field">
        <legend>${t.canRead}</legend>
        <ul class="tick">${scopes.map((scope) => scopeItem(c, scope, scopes.length === 1))}</ul>
      </fieldset>
      ${canNarrow && html`<div class="actions"><button>${t.narrow}</button></div>`}
    </form>`;
}

// The scope openid and the only scope of an application can't be unticked: then its access is removed instead.
function scopeItem(c: PageContext, scope: Scope, isOnly: boolean): Html {
  const { name, reads, doesNotRead } = scopeWords[c.get('visitor').language][scope];
  const text = html`<strong>${name}</strong> <span class="chip">${scope}</span><br>
    <span class="soft small">${reads} ${doesNotRead}</span>`;
  if (scope === 'openid' || isOnly) return html`<li><div class="fixed"><span>${text}</span></div></li>`;
  return html`
    <li><label><input type="checkbox" name="scope" value="${scope}" checked><span>${text}</span></label></li>`;
}

function pauseForm(c: PageContext, client: Client, { pausedAt }: Grant): Html {
  const t = appsWords[c.get('visitor').language];
  const [act, text] = pausedAt === undefined ? ['pause', t.pause] : ['resume', t.resume];
  return html`
    <form method="post" action="${appPath(client)}/pause">
      ${formTokenField(c)}
      <button name="act" value="${act}">${text}</button>
    </form>`;
}

function receiptForm(c: PageContext, client: Client): Html {
  const t = appsWords[c.get('visitor').language];
  return html`
    <form method="post" action="${appPath(client)}/receipt">
      ${formTokenField(c)}
      <p class="soft small">${t.receiptMeans}</p>
      <div class="actions"><button>${t.receipt}</button></div>
    </form>`;
}

async function signIns(site: SiteParts, c: PageContext, user: User, client: Client): Promise<Html> {
  const t = appsWords[c.get('visitor').language];
  const now = site.clock();
  const rows = await site.oauth.reads.signInsOf(user.id, client.id, now, MOST_SIGN_INS + 1);
  const { items, last } = partOf(rows, MOST_SIGN_INS);
  const places = await placesOf(site, user, client, items);
  return html`
    <section class="card">
      <h2>${t.signIns}</h2>
      <p class="soft small">${t.signInsMean}</p>
      ${
        items.length === 0
          ? html`<p class="empty">${t.noSignIns}</p>`
          : table(
              [t.started, t.lastUse, t.from, ''],
              items.map((signIn) => signInRow(c, client, signIn, now, places.get(signIn.key))),
            )
      }
      ${last !== undefined && html`<p class="soft">${t.moreSignIns(countOf(MOST_SIGN_INS))}</p>`}
    </section>`;
}

/** Where a sign-in was last used. */
type Place = Pick<DiaryLine, 'lastAt' | 'network' | 'program'>;

async function placesOf(
  { oauth }: SiteParts,
  { id: userId }: User,
  { id: clientId }: Client,
  signIns: readonly SignIn[],
): Promise<Map<string, Place>> {
  const sources = signIns.map(({ key }) => key);
  const places = new Map<string, Place>();
  for (const line of await oauth.reads.lastLinesOf({ userId, clientId, sources })) {
    const earlier = places.get(line.source);
    // Some requests are counted without their network.
    const { network, program } = line.network === '' ? (earlier ?? line) : line;
    places.set(line.source, { lastAt: line.lastAt, network, program });
  }
  return places;
}

function signInRow(
  c: PageContext,
  client: Client,
  { key, issuedAt, rotatedAt, program, network }: SignIn,
  now: number,
  place: Place | undefined,
): Html {
  const visitor = c.get('visitor');
  const t = appsWords[visitor.language];
  const usedAt = Math.max(rotatedAt, place?.lastAt ?? 0);
  return html`
    <tr>
      <td data-label="${t.started}">
        <div>
          ${dayElement(issuedAt, visitor)}${program !== undefined && html`<br>${program}`}
          ${network !== undefined && html`<br><span class="soft small">${network}</span>`}
        </div>
      </td>
      <td data-label="${t.lastUse}">${agoElement(usedAt, now, visitor)}</td>
      <td data-label="${t.from}">
        <div>
          ${place?.program || t.unknown}<br>
          <span class="soft small">${place?.network}</span>
        </div>
      </td>
      <td>
        <form method="post" action="${appPath(client)}/sign-ins">
          ${formTokenField(c)}
          <button class="link" name="sign_in" value="${key}">${t.end}</button>
        </form>
      </td>
    </tr>`;
}

async function readings(site: SiteParts, c: PageContext, user: User, client: Client): Promise<Html | string> {
  const { language } = c.get('visitor');
  const t = appsWords[language];
  const last = diaryDays(site, c);
  const all = await site.oauth.reads.diarySums(user.id, last);
  const sums = all.filter(({ clientId }) => clientId === client.id);
  if (sums.length === 0) return '';
  const days = requestsByDay(sums, last);
  const total = sums.reduce((count, { requests }) => count + requests, 0);
  return html`
    <section class="card">
      <h2>${t.requests(countOf(total), total)}</h2>
      ${dayBars(days, language)}
      <p><a href="/settings/diary?${new URLSearchParams({ application: client.id })}">${t.diary}</a></p>
    </section>`;
}
