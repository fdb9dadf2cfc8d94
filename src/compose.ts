// Connects all modules. The only file that imports every one of them; it contains no logic.

import { type BackgroundWorkName, withRecord } from './audit/background-work.ts';
import { SECURITY_EVENT_LIFETIME } from './audit/security-event.ts';
import {
  eventSender,
  mailSender,
  openMailer,
  startDiary,
  startEvents,
  startMailing,
  startRendering,
  startTokenNotices,
} from './background.ts';
import { NOTIFICATION_LIFETIME } from './community/notification.ts';
import { UNUSED_PICTURE_LIFETIME } from './community/picture.ts';
import { removeLeftoverFiles } from './community/picture-files.ts';
import { RESTORABLE_FOR } from './community/post.ts';
import { openViews, type Views } from './community/view.ts';
import type { Config } from './config.ts';
import { apiDoor } from './http/api/door.ts';
import { type Additions, type AppParts, app, type HttpHandlers } from './http/app.ts';
import { clientAddress } from './http/client-address.ts';
import { mcpEndpoint } from './http/mcp/door.ts';
import { documentFetcher } from './http/oauth/document-fetcher.ts';
import { authorizationPages, informationEndpoints, tokenEndpoints } from './http/oauth/endpoints.ts';
import { askServer } from './http/own-request.ts';
import { sitePages } from './http/site/pages.ts';
import { staticFiles } from './http/static-files.ts';
import { SESSION_IDLE } from './identity/session.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type Counter, processCounter } from './lib/counter.ts';
import { counterWithFallback } from './lib/counter-with-fallback.ts';
import { failureReason } from './lib/failure-reason.ts';
import { type Log, openLog } from './lib/log.ts';
import type { Mailer } from './lib/mail.ts';
import { partnerKeys } from './lib/partner-keys.ts';
import { type FetchPublic, openPublicFetcher } from './lib/public-fetcher.ts';
import { lazily } from './lib/remember.ts';
import type { Rounds } from './lib/rounds.ts';
import { type EitherDatabase, type Modules, modulesOn } from './modules.ts';
import { type AccessDiary, DIARY_LIFETIME, openDiary } from './oauth/access-diary.ts';
import { deleteDueClients } from './oauth/client-deletion.ts';
import { UNUSED_DOCUMENT_LIFETIME } from './oauth/client-document.ts';
import { openClientDocuments } from './oauth/client-documents.ts';
import { CLIENT_NUMBERS_LIFETIME, type ClientNumbers, openClientNumbers } from './oauth/client-numbers.ts';
import { derivedSecret } from './oauth/derived-secret.ts';
import { diaryMerger } from './oauth/diary-merging.ts';
import type { Send } from './oauth/event-delivery.ts';
import { ACCESS_TOKEN_LIFETIME, FAMILY_LIFETIME } from './oauth/issued-tokens.ts';
import {
  openRequestInspector,
  REQUEST_LINE_LIFETIME,
  type RequestInspector,
} from './oauth/request-inspector.ts';
import { maintainSigningKeys, prepareSigningKeys } from './oauth/signing-key.ts';
import { redisFailure } from './setting-failures.ts';
import { DRAWING_LIFETIME } from './site/drawing.ts';
import { type Database, isReachable } from './storage/engine/database.ts';
import { openSqlite } from './storage/engine/sqlite.ts';
import { type Lifetimes, PURGE_STEP, purgeExpired, sumOfAll } from './storage/purge/purge.ts';

export { startPurging } from './storage/purge/purge.ts';

const LIFETIMES: Lifetimes = {
  accessToken: ACCESS_TOKEN_LIFETIME,
  family: FAMILY_LIFETIME,
  sessionIdle: SESSION_IDLE,
  removedPost: RESTORABLE_FOR,
  unusedPicture: UNUSED_PICTURE_LIFETIME,
  notification: NOTIFICATION_LIFETIME,
  securityEvent: SECURITY_EVENT_LIFETIME,
  diary: DIARY_LIFETIME,
  clientNumbers: CLIENT_NUMBERS_LIFETIME,
  requestLine: REQUEST_LINE_LIFETIME,
  unusedDocument: UNUSED_DOCUMENT_LIFETIME,
  drawing: DRAWING_LIFETIME,
};

/** The modules of the program, ready for the doors: HTTP and the command line. */
export interface Portico extends Parts {
  /** Migrates the database, and creates the first signing keys if there are none. */
  prepare(): Promise<void>;
  /** Builds the HTTP side of the program: all doors behind one address. */
  app(additions?: Additions): HttpHandlers;
  /** Sends some of the mails that are due. Returns how many were due, 0 if none are left. */
  sendMails(): Promise<number>;
  /** Keeps sending mails as they become due. Stopping waits for those in progress. */
  startMailing(): Rounds;
  /** Keeps telling members of API tokens that end. Stopping waits for the current step. */
  startTokenNotices(): Rounds;
  /** Keeps rendering texts that have no HTML of this version. Stopping waits for those in progress. */
  startRendering(): Rounds;
  /** Stores what was read, and brings it into the access diaries. Returns how many lines were added. */
  mergeDiary(): Promise<number>;
  /** Keeps bringing what was read into the access diaries. Stopping waits for what is in progress. */
  startDiary(): Rounds;
  /** Keeps delivering events to applications. Stopping doesn't wait for attempts in progress. */
  startEvents(send?: Send): Rounds;
  /** Wraps background work, so that operators see when it last ran and why it last failed. */
  recorded<T>(name: BackgroundWorkName, work: () => Promise<T>): () => Promise<T>;
  /** Deletes some of the expired rows. Returns how many, 0 if none are left. */
  purge(): Promise<number>;
  /** Writes what waits in memory (views, access diary, requests), and closes the database and the counter. */
  close(): Promise<void>;
}

interface Parts extends Modules {
  config: Config;
  clock: Clock;
  log: Log;
  counter: Counter;
  database: Database;
  /** Counts views of posts in memory and writes them a little later. */
  views: Views;
  /** Collects what applications read in memory and writes it a little later. */
  diary: AccessDiary;
  numbers: ClientNumbers;
  /** Collects the requests of applications in memory and writes them a little later. */
  inspector: RequestInspector;
  /** Makes requests to addresses that strangers choose. */
  fetch: FetchPublic;
  /** Returns the secret in the first operator's link: the same in all processes on one database. */
  setupToken(): Promise<string>;
}

/**
 * Open the database and the counter, and connect the modules to them. Doesn't migrate. `localCounter` counts
 * without Redis and while Redis is away; `onFallback` is called for each hit that it counts in Redis's place.
 */
export async function compose(
  config: Config,
  clock: Clock = systemClock,
  log: Log = openLog(config.logLevel),
  localCounter: Counter = processCounter(clock),
  onFallback?: () => void,
): Promise<Portico> {
  const database = await openDatabase(config);
  const counter = await openCounter(config.redisUrl, localCounter, clock, log, onFallback);
  const modules = modulesOn(database, config, clock, log);
  const views = viewsOf(modules, log);
  const diary = openDiary(modules.oauth, teller(log, 'the access diary'));
  const numbers = openClientNumbers(modules.oauth, teller(log, 'the numbers of applications'));
  const inspector = openRequestInspector(modules.oauth, teller(log, 'the requests of applications'));
  const setupToken = () => derivedSecret(modules.oauth, 'setup');
  const parts: Parts = {
    config,
    clock,
    log,
    counter,
    database,
    ...modules,
    views,
    diary,
    numbers,
    inspector,
    fetch: openPublicFetcher(),
    setupToken,
  };
  const mergeDiary = diaryMerger(modules.oauth);
  const mailer = openMailer(config.mail, log);
  const sendMails = mailSender(parts, mailer);
  return {
    ...parts,
    prepare: () => prepare(parts),
    app: (additions) => appOf(parts, mailer, additions),
    sendMails,
    startMailing: () => startMailing(parts, sendMails),
    startTokenNotices: () => startTokenNotices(parts),
    startRendering: () => startRendering(parts),
    mergeDiary: async () => {
      await diary.flush();
      return mergeDiary();
    },
    startDiary: () => startDiary(parts, mergeDiary),
    startEvents: (send = eventSender(parts.fetch)) => startEvents(parts, send),
    recorded: (name, work) => withRecord(parts.audit, name, work),
    purge: () => purge(parts),
    close: () => close(parts),
  };
}

// Loads only the driver of the configured database: others would cost start time and memory.
async function openDatabase({ database, databasePool }: Config): Promise<EitherDatabase> {
  if (database.kind === 'sqlite') return openSqlite(database.path);
  const { openPostgres } = await import('./storage/engine/postgres.ts');
  return openPostgres(database.url, databasePool);
}

async function openCounter(
  redisUrl: string | undefined,
  localCounter: Counter,
  clock: Clock,
  log: Log,
  onFallback: (() => void) | undefined,
): Promise<Counter> {
  if (redisUrl === undefined) return localCounter;
  const { redisCounter } = await import('./lib/redis-counter.ts');
  const tell = (error: unknown) =>
    log.warn({ reason: redisFailure(redisUrl, error) }, 'Redis does not answer; each machine counts alone');
  return counterWithFallback(redisCounter(redisUrl), localCounter, clock, tell, onFallback);
}

function viewsOf({ community, oauth }: Modules, log: Log): Views {
  return openViews(community, () => derivedSecret(oauth, 'views'), teller(log, 'views'));
}

// For what is collected in memory.
function teller(log: Log, what: string): (error: unknown) => void {
  return (error) => log.warn({ err: error }, `could not write ${what}; will try again`);
}

async function prepare({ database, oauth }: Parts): Promise<void> {
  await database.migrate();
  await prepareSigningKeys(oauth);
}

function appOf(parts: Parts, sendMail: Mailer, additions?: Additions): HttpHandlers {
  const {
    oauth,
    identity,
    community,
    audit,
    views,
    diary,
    numbers,
    inspector,
    site,
    counter,
    clock,
    log,
    setupToken,
    config,
  } = parts;
  const appParts: AppParts = {
    oauth,
    identity,
    community,
    audit,
    views,
    diary,
    numbers,
    inspector,
    documents: openClientDocuments(oauth, identity, documentFetcher(parts.fetch)),
    counter,
    clock,
    startedAt: clock(),
    log,
    // Loaded with the first request, because it needs the schema library.
    describeApi: lazily(async () => {
      const { apiDocument } = await import('./http/api/openapi.ts');
      return JSON.parse(apiDocument(site.defaults.name, site.baseUrl).json);
    }),
    setupToken,
    probeSecret: () => derivedSecret(oauth, 'probe'),
    sendMail,
    hasMailServer: config.mail.smtpUrl !== undefined,
    sandboxUrl: config.sandboxUrl,
    findPartnerKey: partnerKeys(config.githubScanningKeys, clock, (error) =>
      log.warn({ reason: failureReason(error) }, 'GITHUB_SCANNING_KEYS: could not read the keys'),
    ),
    knownBrowserSecret: () => derivedSecret(oauth, 'known browsers'),
    signInSecret: () => derivedSecret(oauth, 'sign-in'),
    site,
    clientAddress: clientAddress(config.trustedProxies),
    trustedProxies: config.trustedProxies,
    waitingPerConnection: parts.database.waitingPerConnection,
    rateLimitPerMinute: config.rateLimitPerMinute,
    tokenRateLimitPerMinute: config.tokenRateLimitPerMinute,
    isReady: () => isReachable(parts.database),
    ...additions?.parts,
  };
  const handlers: HttpHandlers = app(appParts, {
    api: apiDoor(appParts),
    tokens: tokenEndpoints(appParts),
    programs: [informationEndpoints(appParts), mcpEndpoint(appParts)],
    pages: [
      ...(additions?.pages?.(appParts) ?? []),
      authorizationPages(appParts),
      sitePages({ ...appParts, ask: (c, request) => askServer(handlers, c, request) }),
    ],
    files: staticFiles(),
  });
  return handlers;
}

async function purge({ database, oauth, community, clock }: Parts): Promise<number> {
  return sumOfAll(database, [
    () => purgeExpired(database, LIFETIMES, clock(), PURGE_STEP),
    () => deleteDueClients(oauth),
    () => maintainSigningKeys(oauth).then(() => 0),
    () => removeLeftoverFiles(community),
  ]);
}

async function close(parts: Parts): Promise<void> {
  const { views, diary, numbers, inspector, community, database, counter } = parts;
  const inTurn = [views, diary, numbers, inspector, community.renderer, database, counter];
  for (const part of inTurn) await part.close();
}
