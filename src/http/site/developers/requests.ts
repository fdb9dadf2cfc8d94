// The requests of an application, and why they were refused, for its owner and the operators.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { MOST_REQUEST_LINES } from '../../../oauth/request-inspector.ts';
import type { RequestLine } from '../../../oauth/request-inspector-store.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { member } from '../../pages/guards.ts';
import { type Html, page } from '../../pages/page.ts';
import { askedPage, neighbourLinks } from '../../pages/pagination.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { requestEventsPath, requestsPath } from '../../routes.ts';
import { REQUESTS_SCRIPT } from '../../static-files.ts';
import type { SiteParts } from '../site-parts.ts';
import { appPage, isOfNobody } from './frame.ts';
import { comparisonsOfPage } from './request-comparison.ts';
import { requestLine } from './request-line.ts';
import { requestStream } from './request-stream.ts';
import { type RequestWords, requestWords } from './request-words.ts';

const PAGE_SIZE = 100;
// An open page reads itself again each second while requests come.
const MOST_A_MINUTE = 150;
const WINDOW_SECONDS = 60;

/** The owner of the application in the path, or an operator. Others get the page for an unknown address. */
export async function appReader(site: SiteParts, c: PageContext): Promise<[User, Client] | Response> {
  const facts = member(site, c);
  if (facts instanceof Response) return facts;
  const [user] = facts;
  const client = await readableClient(site, c, user);
  return client === undefined ? notFoundPage(c) : [user, client];
}

async function readableClient(
  { oauth }: SiteParts,
  c: PageContext,
  user: User | undefined,
): Promise<Client | undefined> {
  const client = await oauth.reads.findClient(c.req.param('client_id') ?? '');
  if (user === undefined || client?.deactivation === 'deleted') return undefined;
  return client?.ownerId === user.id || user.isOperator ? client : undefined;
}

/** List the requests of the application in the path, newest first. */
export async function requestsPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
): Promise<Response> {
  const { oauth, counter } = site;
  const hit = await counter.hit(`requests page:${user.id}`, MOST_A_MINUTE, WINDOW_SECONDS);
  if (!hit.allowed) {
    return tooOftenPage(c, hit, requestsPath(client.id));
  }
  const t = requestWords[c.get('visitor').language];
  const path = requestsPath(client.id);
  const wanted = /^[A-Za-z0-9]{8}$/.exec(c.req.query('error') ?? '')?.[0];
  const isProblems = c.req.query('show') === 'problems';
  const isUpToPage = wanted === undefined && !isProblems;
  const most = isUpToPage ? (askedPage(c) + 1) * PAGE_SIZE + 1 : MOST_REQUEST_LINES;
  const all = await oauth.reads.requestLines(client.id, Math.min(most, MOST_REQUEST_LINES));
  const lines = isProblems ? all.filter(({ facts }) => facts.broken.length > 0 || facts.error) : all;
  const number = pageOf(c, lines, wanted);
  const shown = lines.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE);
  const query = isProblems ? 'show=problems&' : '';
  const linkTo = (other: number) => ({ href: `${path}?${query}page=${other + 1}` });
  const back = number > 0 ? linkTo(number - 1) : undefined;
  const next = lines.length > (number + 1) * PAGE_SIZE ? linkTo(number + 1) : undefined;
  // Only the first page gets new lines.
  const script = number === 0 ? { script: REQUESTS_SCRIPT } : {};
  const compare = comparisonsOfPage();
  const content = html`
      <h2>${t.title}</h2>
      <p class="soft">${t.explanation}</p>
      <p class="soft small"><code>${t.howToName}</code></p>
      ${wanted !== undefined && wantedNotice(t, wanted, shown)}
      <nav class="tabs" aria-label="${t.show}">
        ${tab(path, t.all, !isProblems)}
        ${tab(`${path}?show=problems`, t.problems, isProblems)}
      </nav>
      <p id="live" class="soft small" role="status" data-on="${t.live}" data-off="${t.notLive}">${t.reload}</p>
      <ol id="requests" class="requests" data-stream="${requestEventsPath(client.id)}">
        ${shown.map((line) => requestLine(c, line, line.id === wanted, compare))}
      </ol>
      <p id="no-requests" class="empty"${shown.length > 0 && html` hidden`}>${isProblems ? t.noProblems : t.none}</p>
      ${neighbourLinks(c.get('visitor').language, { back: back && { ...back, text: t.newer }, next })}`;
  const isManaged = user.id === client.ownerId || (await isOfNobody(site, client));
  if (isManaged) return appPage(c, client, '/requests', script, content);
  // The other pages of the console are the owner's.
  const title = `${t.title} · ${client.name}`;
  return page(c, { title, ...script }, html`<h1>${client.name}</h1>${content}`);
}

// The page that has the request that is looked for, or the one in the address.
function pageOf(c: PageContext, lines: readonly RequestLine[], wanted: string | undefined): number {
  const place = wanted === undefined ? -1 : lines.findIndex(({ id }) => id === wanted);
  return place < 0 ? askedPage(c) : Math.floor(place / PAGE_SIZE);
}

function wantedNotice(t: RequestWords, id: string, shown: readonly RequestLine[]): Html {
  const isShown = shown.some((line) => line.id === id);
  return html`<p class="notice">${isShown ? t.wanted(id) : t.gone(id)}</p>`;
}

function tab(href: string, name: string, isHere: boolean): Html {
  return html`<a href="${href}"${isHere && html` aria-current="page"`}>${name}</a>`;
}

/** Tell the page when there are new requests. */
export function requestEvents(site: SiteParts, c: PageContext, { id }: User, client: Client): Response {
  return requestStream(site, c, id, client, async () => {
    const visitor = c.get('visitor');
    await visitor.lookAgain?.();
    return (await readableClient(site, c, visitor.visit?.user)) !== undefined;
  });
}
