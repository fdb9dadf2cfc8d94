// Connects all modules. The only file that imports every one of them; it contains no logic.

import type { AuditLog } from './audit/audit-log.ts';
import { type BackgroundWorkName, withRecord } from './audit/background-work.ts';
import { levelOf, SECURITY_EVENT_LIFETIME } from './audit/security-event.ts';
import { mailSender, openMailer, startDiary, startMailing, startRendering } from './background.ts';
import type { Community } from './community/community.ts';
import { NOTIFICATION_LIFETIME } from './community/notification.ts';
import { RESTORABLE_FOR } from './community/post.ts';
import { openViews, type Views } from './community/view.ts';
import type { Config } from './config.ts';
import { apiDoor } from './http/api/door.ts';
import { type AppParts, app, type HttpHandlers } from './http/app.ts';
import { clientAddress } from './http/client-address.ts';
import { authorizationPages, informationEndpoints, tokenEndpoints } from './http/oauth/endpoints.ts';
import { sitePages } from './http/site/pages.ts';
import { staticFiles } from './http/static-files.ts';
import type { Identity } from './identity/identity.ts';
import { namesInHost } from './identity/password-rules.ts';
import { SESSION_IDLE } from './identity/session.ts';
import type { Destination } from './import/destination.ts';
import { andThen } from './lib/awaitable.ts';
import { breachedPasswords } from './lib/breached-passwords.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type Counter, processCounter } from './lib/counter.ts';
import { counterWithFallback } from './lib/counter-with-fallback.ts';
import { type Log, openLog } from './lib/log.ts';
import type { Mailer } from './lib/mail.ts';
import type { Rounds } from './lib/rounds.ts';
import { openTextRenderer } from './lib/text-renderer.ts';
import { type AccessDiary, DIARY_LIFETIME, openDiary } from './oauth/access-diary.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import { derivedSecret } from './oauth/derived-secret.ts';
import { diaryMerger } from './oauth/diary-merging.ts';
import { ACCESS_TOKEN_LIFETIME, FAMILY_LIFETIME } from './oauth/issued-tokens.ts';
import { maintainSigningKeys, prepareSigningKeys } from './oauth/signing-key.ts';
import { redisFailure } from './setting-failures.ts';
import { guestRulesOf } from './site/guest-rules.ts';
import { DEFAULT_SETTINGS } from './site/settings.ts';
import { type Site, type SiteStore, settingsOf } from './site/site.ts';
import { auditStore } from './storage/audit/audit-log.ts';
import { backgroundWorkWrites } from './storage/audit/background-work.ts';
import { withEventLog } from './storage/audit/event-log.ts';
import { openCache } from './storage/cache/cache.ts';
import { cachedCommunityStore } from './storage/cache/cached-community-store.ts';
import { cachedOAuthStore } from './storage/cache/cached-oauth-store.ts';
import { cachedSiteStore } from './storage/cache/cached-site-store.ts';
import { communityStore } from './storage/community/community-store.ts';
import { type Database, isReachable } from './storage/engine/database.ts';
import type { PostgresDatabase } from './storage/engine/postgres.ts';
import { openSqlite, type SqliteDatabase } from './storage/engine/sqlite.ts';
import { identityStore } from './storage/identity/identity-store.ts';
import { importStore } from './storage/import/import-store.ts';
import { oauthStore } from './storage/oauth/oauth-store.ts';
import { type Lifetimes, PURGE_STEP, purgeExpired } from './storage/purge/purge.ts';
import { siteStore } from './storage/site/site-store.ts';

export { startPurging } from './storage/purge/purge.ts';

const LIFETIMES: Lifetimes = {
  accessToken: ACCESS_TOKEN_LIFETIME,
  family: FAMILY_LIFETIME,
  sessionIdle: SESSION_IDLE,
  removedPost: RESTORABLE_FOR,
  notification: NOTIFICATION_LIFETIME,
  securityEvent: SECURITY_EVENT_LIFETIME,
  diary: DIARY_LIFETIME,
};

/** The modules of the program, ready for the doors: HTTP and the command line. */
export interface Portico extends Parts {
  /** Migrates the database, and creates the first signing keys if there are none. */
  prepare(): Promise<void>;
  /** Builds the HTTP side of the program: all doors behind one address. */
  app(): HttpHandlers;
  /** Sends some of the mails that are due. Returns how many were due, 0 if none are left. */
  sendMails(): Promise<number>;
  /** Keeps sending mails as they become due. Stopping waits for those in progress. */
  startMailing(): Rounds;
  /** Keeps rendering texts that have no HTML of this version. Stopping waits for those in progress. */
  startRendering(): Rounds;
  /** Stores what was read, and brings it into the access diaries. Returns how many lines were added. */
  mergeDiary(): Promise<number>;
  /** Keeps bringing what was read into the access diaries. Stopping waits for what is in progress. */
  startDiary(): Rounds;
  /** Wraps background work, so that operators see when it last ran and why it last failed. */
  recorded<T>(name: BackgroundWorkName, work: () => Promise<T>): () => Promise<T>;
  /** Deletes some of the expired rows. Returns how many, 0 if none are left. */
  purge(): Promise<number>;
  /** Writes the counted views and the access diary, and closes the database and the counter. */
  close(): Promise<void>;
}

interface Parts {
  config: Config;
  clock: Clock;
  log: Log;
  counter: Counter;
  database: Database;
  oauth: AuthorizationServer;
  identity: Identity;
  community: Community;
  audit: AuditLog;
  /** The destination of imports. */
  imports: Destination;
  /** Counts views of posts in memory and writes them a little later. */
  views: Views;
  /** Collects what applications read in memory and writes it a little later. */
  diary: AccessDiary;
  site: Site;
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
  const diary = diaryOf(modules, log);
  const setupToken = () => derivedSecret(modules.oauth, 'setup');
  const parts: Parts = { config, clock, log, counter, database, ...modules, views, diary, setupToken };
  const mergeDiary = diaryMerger(modules.oauth);
  const mailer = openMailer(config.mail, log);
  const sendMails = mailSender(parts, mailer);
  return {
    ...parts,
    prepare: () => prepare(parts),
    app: () => appOf(parts, mailer),
    sendMails,
    startMailing: () => startMailing(parts, sendMails),
    startRendering: () => startRendering(parts),
    mergeDiary: async () => {
      await diary.flush();
      return mergeDiary();
    },
    startDiary: () => startDiary(parts, mergeDiary),
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

type EitherDatabase = SqliteDatabase | PostgresDatabase;

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

type StoredModules = Pick<Parts, 'oauth' | 'identity' | 'community' | 'audit' | 'imports' | 'site'>;

function modulesOn(database: EitherDatabase, config: Config, clock: Clock, log: Log): StoredModules {
  const { oauth, identity, community, site: settings } = storesOn(database, config.cachedTokens, log);
  const site = siteOn(settings, config, clock);
  const auditWrites = { ...identity, ...backgroundWorkWrites(database) };
  const audit: AuditLog = { reads: auditStore(database), writes: auditWrites, clock };
  const imports = importStore(database);
  const guestRules = guestRulesOf(site, config.brand);
  return {
    oauth: {
      reads: oauth,
      writes: oauth,
      clock,
      brand: config.brand,
      issuer: config.baseUrl,
      rsaKeyBits: config.rsaKeyBits,
    },
    identity: {
      reads: identity,
      writes: identity,
      clock,
      passwordRules: passwordRulesOf(site, config, log),
      guestRules,
    },
    community: {
      reads: community,
      writes: community,
      clock,
      renderer: openTextRenderer(),
      textsToApprove: () =>
        andThen(settingsOf(site), ({ approval, textsToApprove }) =>
          approval === 'off' ? 0 : textsToApprove,
        ),
    },
    audit,
    imports: { reads: imports, writes: imports, clock, guestRules },
    site,
  };
}

function siteOn(
  settings: SiteStore,
  { siteName, baseUrl, signUp, timeZone, securityContact }: Config,
  clock: Clock,
): Site {
  const defaults = { ...DEFAULT_SETTINGS, name: siteName, signUp, timeZone };
  return { reads: settings, writes: settings, clock, baseUrl, securityContact, defaults };
}

function passwordRulesOf(site: Site, { baseUrl, brand, breachedPasswordsUrl: url }: Config, log: Log) {
  const tell = (reason: string) =>
    log.warn({ reason }, 'could not check a password for breaches; accepted it');
  return {
    siteNames: () =>
      andThen(settingsOf(site), ({ name }) => [name, brand, ...namesInHost(new URL(baseUrl).hostname)]),
    isBreached: url === undefined ? undefined : breachedPasswords(url, tell),
  };
}

/** Open the stores. Without the lines about the cache everything works the same, only slower. */
function storesOn(database: EitherDatabase, cachedTokens: number, log: Log) {
  const loggedDatabase = withEventLog(database, log, levelOf);
  const oauth = oauthStore(loggedDatabase);
  const identity = identityStore(loggedDatabase);
  const community = communityStore(database);
  const site = siteStore(database);
  // Not cached: other machines can write to PostgreSQL, and this process doesn't learn of it.
  if (database.dialect === 'postgres') return { oauth, identity, community, site };
  const cache = openCache(database, cachedTokens);
  return {
    oauth: cachedOAuthStore(oauth, cache),
    identity,
    community: cachedCommunityStore(community, cache),
    site: cachedSiteStore(site, cache),
  };
}

function viewsOf({ community, oauth }: StoredModules, log: Log): Views {
  const tell = (error: unknown) => log.warn({ err: error }, 'could not write views; will try again');
  return openViews(community, () => derivedSecret(oauth, 'views'), tell);
}

function diaryOf({ oauth }: StoredModules, log: Log): AccessDiary {
  return openDiary(oauth, (error) =>
    log.warn({ err: error }, 'could not write the access diary; will try again'),
  );
}

async function prepare({ database, oauth }: Parts): Promise<void> {
  await database.migrate();
  await prepareSigningKeys(oauth);
}

function appOf(parts: Parts, sendMail: Mailer): HttpHandlers {
  const { oauth, identity, community, audit, views, diary, site, counter, clock, log, setupToken, config } =
    parts;
  const appParts: AppParts = {
    oauth,
    identity,
    community,
    audit,
    views,
    diary,
    counter,
    clock,
    log,
    setupToken,
    probeSecret: () => derivedSecret(oauth, 'probe'),
    sendMail,
    hasMailServer: config.mail.smtpUrl !== undefined,
    knownBrowserSecret: () => derivedSecret(oauth, 'known browsers'),
    site,
    clientAddress: clientAddress(config.trustedProxies),
    trustedProxies: config.trustedProxies,
    rateLimitPerMinute: config.rateLimitPerMinute,
    tokenRateLimitPerMinute: config.tokenRateLimitPerMinute,
    isReady: () => isReachable(parts.database),
  };
  return app(appParts, {
    api: apiDoor(appParts),
    tokens: tokenEndpoints(appParts),
    programs: [informationEndpoints(appParts)],
    pages: [authorizationPages(appParts), sitePages(appParts)],
    files: staticFiles(),
  });
}

async function purge({ database, oauth, clock }: Parts): Promise<number> {
  const deleted = await purgeExpired(database, LIFETIMES, clock(), PURGE_STEP);
  // Last, because a problem with the keys must not stop the purging.
  await maintainSigningKeys(oauth);
  return deleted;
}

async function close({ views, diary, community, database, counter }: Parts): Promise<void> {
  await views.close();
  await diary.close();
  await community.renderer.close();
  await database.close();
  await counter.close();
}
