// Connected applications: what each can read, when it last did, and how to remove several at once.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { DAY, type Timestamp } from '../../../lib/clock.ts';
import { ABANDONED_AFTER } from '../../../oauth/abandoned-grant.ts';
import type { ConnectedClient } from '../../../oauth/store.ts';
import { withdrawOwnConsent } from '../../../oauth/withdrawal.ts';
import { clientMark } from '../../pages/client-mark.ts';
import { type DayCount, dayBars } from '../../pages/day-bars.ts';
import { inputField, selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { agoElement, countOf, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { askedPage, neighbourLinks } from '../../pages/pagination.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { appPath, stateBadge } from './app-parts.ts';
import { appsWords } from './apps-words.ts';
import { diaryDays, requestsByDay } from './diary-days.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/apps';
const REMOVE_PATH = `${PATH}/remove`;
const PAGE_SIZE = 100;
const UNUSED_AFTER = 60 * DAY;
// Removing this many at once asks for the username.
const MANY = 3;
// Of the removals in the security log, this many are looked at.
const MOST_REMOVALS = 100;

const ORDERS = ['last', 'name', 'requests', 'oldest'] as const;
type Order = (typeof ORDERS)[number];

/** An application in the list. */
interface Listed extends ConnectedClient {
  /** When it last read something, or got its member's permission. */
  usedAt: Timestamp;
  requests: number;
  days: DayCount[];
}

/** List the connected applications. */
export async function appsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = appsWords[language];
  const title = settingsTitle(c, PATH);
  const all = await listedClients(site, c, user);
  const search = (c.req.query('q') ?? '').trim();
  const order = ORDERS.find((name) => name === c.req.query('order')) ?? 'last';
  const isUnused = c.req.query('show') === 'unused';
  const now = site.clock();
  const shown = all
    .filter(({ client }) => client.name.toLowerCase().includes(search.toLowerCase()))
    .filter(({ usedAt }) => !isUnused || now - usedAt >= UNUSED_AFTER)
    .toSorted(comparisons[order]);
  const first = askedPage(c) * PAGE_SIZE;
  const removed = c.req.query('removed');
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation}</p>
      ${notice(removed === undefined ? undefined : t.removed)}
      ${all.length > 1 && filterForm(c, search, order, isUnused)}
      ${shown.length > 0 && listForm(c, shown.slice(first, first + PAGE_SIZE), now, isUnused)}
      ${neighbours(c, shown.length)}
      ${shown.length === 0 && html`<p class="empty">${all.length === 0 ? t.none : t.noneOfThese}</p>`}
      ${await removedByServer(site, c, user, all)}
      <p class="soft">${t.develop} <a href="/developers/apps">${t.yours}</a></p>`,
  );
}

/** Show the applications whose access the server removed, as long as the security log has the entries. */
async function removedByServer(
  site: SiteParts,
  c: PageContext,
  user: User,
  connected: readonly ConnectedClient[],
): Promise<Html | false> {
  const visitor = c.get('visitor');
  const t = appsWords[visitor.language];
  const wanted = { userId: user.id, event: 'consent_withdrawn', limit: MOST_REMOVALS } as const;
  const removals = new Map<string, Timestamp>();
  for (const { detail, clientId = '', at } of (await site.audit.reads.securityEvents(wanted)).toReversed()) {
    if (detail === 'deactivated') removals.set(clientId, at);
  }
  for (const { client } of connected) removals.delete(client.id);
  const items = [...removals].map(async ([id, at]) => {
    const client = await site.oauth.reads.findClient(id);
    return (
      client && html`<li><a href="${appPath(client)}">${client.name}</a>, ${dayElement(at, visitor)}</li>`
    );
  });
  return (
    items.length > 0 &&
    html`
      <section class="card">
        <h2>${t.removedByServer}</h2>
        <p class="soft">${t.removedByServerMeans(ABANDONED_AFTER / DAY)}</p>
        <ul>${await Promise.all(items)}</ul>
      </section>`
  );
}

async function listedClients(site: SiteParts, c: PageContext, user: User): Promise<Listed[]> {
  const now = site.clock();
  const days = diaryDays(site, c);
  const clients = await site.oauth.reads.connectedClients(user.id, now);
  const sums = Map.groupBy(await site.oauth.reads.diarySums(user.id, days), ({ clientId }) => clientId);
  return clients.map(({ client, grant }) => {
    const own = sums.get(client.id) ?? [];
    const usedAt = Math.max(grant.lastAuthorizedAt, ...own.map(({ lastAt }) => lastAt));
    const requests = own.reduce((total, sum) => total + sum.requests, 0);
    return { client, grant, usedAt, requests, days: requestsByDay(own, days) };
  });
}

const comparisons: Record<Order, (a: Listed, b: Listed) => number> = {
  last: (a, b) => b.usedAt - a.usedAt,
  name: (a, b) => a.client.name.localeCompare(b.client.name),
  requests: (a, b) => b.requests - a.requests,
  oldest: (a, b) => a.grant.grantedAt - b.grant.grantedAt,
};

function filterForm(c: PageContext, search: string, order: Order, isUnused: boolean): Html {
  const t = appsWords[c.get('visitor').language];
  const options = ORDERS.map((value) => ({ value, label: t.orders[value] }));
  const shows = [
    { value: 'all', label: t.all },
    { value: 'unused', label: t.unused },
  ];
  return html`
    <form method="get" action="${PATH}" class="find" role="search">
      ${inputField({ name: 'q', label: t.search, value: search })}
      ${selectField({ name: 'order', label: t.order, value: order, options })}
      ${selectField({ name: 'show', label: t.show, value: isUnused ? 'unused' : 'all', options: shows })}
      <button>${t.apply}</button>
    </form>`;
}

/** The list. Of unused applications all are ticked, so that one button removes them. */
function listForm(c: PageContext, apps: readonly Listed[], now: Timestamp, isTicked: boolean): Html {
  const t = appsWords[c.get('visitor').language];
  return html`
    <form method="post" action="${REMOVE_PATH}">
      ${formTokenField(c)}
      ${apps.map((app) => appCard(c, app, now, isTicked))}
      <div class="actions">
        <button>${t.removeTicked}</button>
        <button name="everything" value="yes">${t.removeEverything}</button>
      </div>
    </form>`;
}

/** Links to the other pages of the same search. */
function neighbours(c: PageContext, count: number): Html | string {
  const place = askedPage(c);
  const { removed: _, ...search } = c.req.query();
  const linkTo = (page: number) => ({
    href: `${PATH}?${new URLSearchParams({ ...search, page: String(page + 1) })}`,
  });
  return neighbourLinks(c.get('visitor').language, {
    back: place > 0 ? linkTo(0) : undefined,
    next: (place + 1) * PAGE_SIZE < count ? linkTo(place + 1) : undefined,
  });
}

function appCard(c: PageContext, app: Listed, now: Timestamp, isTicked: boolean): Html {
  const visitor = c.get('visitor');
  const t = appsWords[visitor.language];
  const { client, grant, usedAt, requests, days } = app;
  return html`
    <section class="card">
      <div class="row spread">
        <div class="title">
          ${clientMark(client)}
          <h2><a href="${appPath(client)}">${client.name}</a></h2>
        </div>
        <label>
          <input type="checkbox" name="client" value="${client.id}"${isTicked ? html` checked` : ''}>
          ${t.tick}<span class="unseen">: ${client.name}</span>
        </label>
      </div>
      <p class="chips">
        ${grant.scopes.map((scope) => html`<span class="chip">${scope}</span>`)}
        ${stateBadge(client, grant, visitor)}
      </p>
      <p class="meta">
        <span>${t.since} ${dayElement(grant.grantedAt, visitor)}</span>
        <span>${t.lastUse} ${agoElement(usedAt, now, visitor)}</span>
        <span>${t.requests(countOf(requests), requests)}</span>
      </p>
      ${requests > 0 && dayBars(days, visitor.language)}
    </section>`;
}

/** Ask before several applications are removed, or remove them. */
export async function removeApps(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const t = appsWords[c.get('visitor').language];
  const connected = await site.oauth.reads.connectedClients(user.id, site.clock());
  const ids = form.has('everything') ? connected.map(({ client }) => client.id) : form.all('client');
  const chosen = connected.filter(({ client }) => ids.includes(client.id)).map(({ client }) => client);
  if (chosen.length === 0) return c.redirect(PATH, 303);
  const asksName = chosen.length >= MANY;
  const isWrongName = asksName && form.text('username').trim().toLowerCase() !== user.username.toLowerCase();
  if (form.has('sure') && !isWrongName) {
    const by = byMember(user, site.clock, site.clientAddress(c));
    for (const { id } of chosen) await withdrawOwnConsent(by, site.oauth, id);
    return c.redirect(`${PATH}?removed`, 303);
  }
  const problem = form.has('sure') ? t.wrongName(user.username) : undefined;
  const fields = html`
    <input type="hidden" name="sure" value="yes">
    ${chosen.map(({ id }) => html`<input type="hidden" name="client" value="${id}">`)}
    ${asksName && inputField({ name: 'username', label: t.typeName(user.username), required: true, problem })}`;
  return questionPage(c, {
    title: t.question(countOf(chosen.length), chosen.length),
    status: problem === undefined ? 200 : 400,
    menu: settingsMenu(c, PATH),
    explanation: html`<ul>${chosen.map(({ name }) => html`<li>${name}</li>`)}</ul>`,
    consequences: t.consequences,
    fields,
    action: REMOVE_PATH,
    button: t.remove,
    back: { path: PATH, text: t.cancel },
  });
}
