// The HTTP side of the program, from request to answer: all doors, behind their shared middleware.

import type { RequestListener } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Community } from '../community/community.ts';
import type { Views } from '../community/view.ts';
import type { Identity } from '../identity/identity.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Clock, Timestamp } from '../lib/clock.ts';
import type { Counter } from '../lib/counter.ts';
import type { Log } from '../lib/log.ts';
import type { Mailer } from '../lib/mail.ts';
import type { FindKey } from '../lib/partner-keys.ts';
import { randomBase62 } from '../lib/secrets.ts';
import type { AccessDiary } from '../oauth/access-diary.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { ClientDocuments } from '../oauth/client-documents.ts';
import type { ClientNumbers } from '../oauth/client-numbers.ts';
import { OAuthError } from '../oauth/errors.ts';
import type { RequestInspector } from '../oauth/request-inspector.ts';
import type { Site } from '../site/site.ts';
import { type Answer, type BareRequest, requestPath } from './answer.ts';
import { failurePage, notFoundPage } from './pages/failures.ts';
import { chooseLanguage, type Language } from './pages/language.ts';
import { boundRedirects } from './pages/redirect-bound.ts';
import { STATUS_PATH, statusPage } from './pages/status.ts';
import { provideUnreadCount } from './pages/unread.ts';
import { forgetVisitor, identifyVisitor, type PageContext, type PageEnv, siteWith } from './pages/visitor.ts';
import { type ProbedParts, probe } from './probe.ts';
import { problemOf } from './problem.ts';
import { noteRefusedPages } from './refused-requests.ts';
import { UnreadableForm } from './request-form.ts';
import { isForApplications, PATHS } from './routes.ts';
import { browserHeaders, protectiveHeaders, securityHeaders } from './security-headers.ts';

/** The modules, settings and tools that the doors need. */
export interface AppParts extends ProbedParts {
  oauth: AuthorizationServer;
  identity: Identity;
  community: Community;
  audit: AuditLog;
  views: Views;
  diary: AccessDiary;
  numbers: ClientNumbers;
  inspector: RequestInspector;
  documents: ClientDocuments;
  counter: Counter;
  clock: Clock;
  /** When this process started. */
  startedAt: Timestamp;
  log: Log;
  site: Site;
  rateLimitPerMinute: number;
  tokenRateLimitPerMinute: number;
  /** Returns how many calls wait for each connection to the database. Missing where none can wait. */
  waitingPerConnection?: (() => number) | undefined;
  /** Returns the OpenAPI document, for the reference on the site's pages. */
  describeApi(): Promise<object>;
  /** Returns the token that opens /setup once, while there is no operator. */
  setupToken(): Promise<string>;
  /** Sends a mail at once. Throws `Undelivered`. */
  sendMail: Mailer;
  /** Whether mails leave the machine; otherwise they are written to the outbox. */
  hasMailServer: boolean;
  /** The sandbox for developers. Undefined if there is none. */
  sandboxUrl?: string | undefined;
  /** Finds the keys of GitHub's secret scanning. Undefined if its messages aren't accepted. */
  findPartnerKey?: FindKey | undefined;
  /** Returns the secret that seals the cookies of known browsers. */
  knownBrowserSecret(): Promise<string>;
  /** Returns the secret that seals the notes between the two steps of a sign-in. */
  signInSecret(): Promise<string>;
  /** Reports whether the database can be reached, for /readyz. */
  isReady(): Promise<boolean>;
}

/** The resource API. Returns undefined for a request that is not for the API. */
export type ApiDoor = (request: BareRequest) => Awaitable<Answer> | undefined;

/** The doors. compose.ts passes them, because they don't import each other. */
export interface Doors {
  api: ApiDoor;
  /** Where applications get and revoke tokens. */
  tokens: Hono;
  /** Other endpoints that applications call, without cookies. */
  programs: Hono[];
  /** Pages, which know the visitor. */
  pages: Hono<PageEnv>[];
  files: Hono;
}

/** What the sandbox, or a test, does otherwise than a community. */
export interface Additions {
  parts: Partial<Pick<AppParts, 'oauth' | 'site' | 'sendMail' | 'documents'>>;
  /** Pages that are looked for before all others. */
  pages?(parts: AppParts): Hono<PageEnv>[];
}

/** The parts of the server, in the order in which a request passes them. */
export interface HttpHandlers {
  /** Sees every request before its answer. */
  watch?: RequestListener | undefined;
  api: ApiDoor;
  rest: Pick<Hono<PageEnv>, 'fetch'>;
  /** Addresses and CIDR ranges. */
  trustedProxies?: readonly string[];
  /** Returns how many calls wait for each connection to the database. Missing where none can wait. */
  waitingPerConnection?: (() => number) | undefined;
  /** The headers of responses that refuse malformed HTTP requests. */
  refusalHeaders?: Readonly<Record<string, string>>;
}

/**
 * Join the doors. The token endpoints are an app of their own, so that their requests skip the middleware for
 * pages. They set all their headers themselves.
 */
export function app(parts: AppParts, doors: Doors): HttpHandlers {
  const tokenApp = new Hono<PageEnv>();
  tokenApp.route('/', doors.tokens);
  const siteApp = site(parts, doors);
  tokenApp.notFound((c) => siteApp.fetch(c.req.raw, c.env));
  tokenApp.onError((error, c) => answerFailure(parts, error, c));
  const appFor = ({ incoming }: HttpBindings) =>
    isForApplications(requestPath(incoming)) ? tokenApp : siteApp;
  return {
    watch: parts.log.isLevelEnabled('debug') ? logRequests(parts) : undefined,
    api: doors.api,
    refusalHeaders: browserHeaders(parts.site.baseUrl),
    rest: {
      fetch: (request, env) => appFor(env as HttpBindings).fetch(request, env as HttpBindings),
    },
    trustedProxies: parts.trustedProxies,
    waitingPerConnection: parts.waitingPerConnection,
  };
}

function site(parts: AppParts, doors: Doors): Hono<PageEnv> {
  const site = new Hono<PageEnv>();
  site.use(securityHeaders(parts.site.baseUrl));
  site.route('/', health(parts));
  for (const door of [...doors.programs, doors.files]) site.route('/', door);
  site.use(noteRefusedPages(parts));
  // The page of the status is there without the database, too.
  site.get(STATUS_PATH, async (c, next) => {
    if (await parts.isReady()) return next();
    withoutVisitor(parts, c, chooseLanguage(undefined, c.req.header('accept-language')));
    return statusPage(parts, c, false);
  });
  site.use(identifyVisitor(parts.site, parts.identity, parts.clientAddress), boundRedirects);
  site.use(provideUnreadCount(parts));
  for (const door of doors.pages) site.route('/', door);
  site.notFound((c) => notFoundPage(c));
  site.onError((error, c) => answerFailure(parts, error, c));
  return site;
}

function health(parts: AppParts): Hono {
  const door = new Hono();
  door.post(PATHS.probe, probe(parts));
  door.get(PATHS.alive, (c) => c.json({ status: 'alive' }));
  door.get(PATHS.ready, async (c) => {
    if (await parts.isReady()) return c.json({ status: 'ready' });
    return c.json({ status: 'database unreachable' }, 503, { 'Retry-After': '5' });
  });
  return door;
}

// Logs the path without the query, because queries contain codes and states (RFC 9700 §4.2.4).
function logRequests({ log, clientAddress }: AppParts): RequestListener {
  return (incoming, outgoing) => {
    const start = performance.now();
    // Read now, because a closed connection has no address.
    const from = clientAddress({ env: { incoming } });
    outgoing.once('close', () => {
      const ms = Math.round(performance.now() - start);
      const { method } = incoming;
      log.debug({ method, path: requestPath(incoming), status: outgoing.statusCode, ms, from }, 'request');
    });
  };
}

async function answerFailure(parts: AppParts, error: Error, c: PageContext): Promise<Response> {
  const errorId = randomBase62(8);
  // The endpoints answer protocol errors themselves, so one that arrives here is a fault of ours.
  const problem = problemOf(error instanceof OAuthError ? undefined : error);
  const { code, status, retryAfterSeconds } = problem;
  if (status >= 500 && !(error instanceof UnreadableForm)) {
    // Only these properties are logged: other properties of a database error may quote the request.
    const { name, message, stack, cause } = error;
    parts.log.error(
      { errorId, path: c.req.path, name, message, stack, cause: String(cause ?? '') },
      'request failed',
    );
  }
  if (retryAfterSeconds !== undefined) c.header('Retry-After', `${retryAfterSeconds}`);
  if (isForApplications(c.req.path)) {
    return c.json({ error: code, error_description: `The request failed; error id ${errorId}.` }, status, {
      ...protectiveHeaders(parts.site.baseUrl),
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
    });
  }
  // Without the database the visitor is unknown, so the page treats the visitor as not signed in.
  if (c.get('visitor') === undefined) withoutVisitor(parts, c, 'en');
  return failurePage(c, status, errorId);
}

// The settings of the site and the visitor are in the database.
function withoutVisitor({ site }: AppParts, c: PageContext, language: Language): void {
  c.set('site', siteWith(site, site.defaults));
  forgetVisitor(c, language);
}
