// Puts the house together. The only file that sees every room, and it holds no logic.

import type { AuditLog } from './audit/audit-log.ts';
import type { Community } from './community/community.ts';
import { NOTIFICATION_LIFETIME } from './community/notification.ts';
import { RESTORABLE_FOR } from './community/post.ts';
import { openViews, type Views } from './community/view.ts';
import type { Config } from './config.ts';
import { apiDoor } from './http/api/door.ts';
import { app, type Rooms, type Served } from './http/app.ts';
import { clientAddress } from './http/client-address.ts';
import { authorizationPages, informationEndpoints, tokenEndpoints } from './http/oauth/endpoints.ts';
import { letterOf } from './http/site/joining/letters.ts';
import { sitePages } from './http/site/pages.ts';
import { staticFiles } from './http/static-files.ts';
import type { Identity } from './identity/identity.ts';
import { sendDueMails, type TellOfFailure } from './identity/mail.ts';
import { SESSION_IDLE } from './identity/session.ts';
import type { Destination } from './import/destination.ts';
import { type Clock, SECOND, systemClock } from './lib/clock.ts';
import { type Counter, processCounter } from './lib/counter.ts';
import { type Log, openLog } from './lib/log.ts';
import { folderMailer, type Mailer, smtpMailer } from './lib/mail.ts';
import { type Rounds, restingAfter, startRounds } from './lib/rounds.ts';
import { steadyCounter } from './lib/steady-counter.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import { derivedSecret } from './oauth/derived-secret.ts';
import { ACCESS_TOKEN_LIFETIME, FAMILY_LIFETIME } from './oauth/issued-tokens.ts';
import { prepareSigningKeys, tendSigningKeys } from './oauth/signing-key.ts';
import { auditStore } from './storage/audit/audit-log.ts';
import { openCache } from './storage/cache/cache.ts';
import { cachedCommunityStore } from './storage/cache/cached-community-store.ts';
import { cachedOAuthStore } from './storage/cache/cached-oauth-store.ts';
import { communityStore } from './storage/community/community-store.ts';
import { type Database, isReachable } from './storage/engine/database.ts';
import type { PostgresDatabase } from './storage/engine/postgres.ts';
import { openSqlite, type SqliteDatabase } from './storage/engine/sqlite.ts';
import { identityStore } from './storage/identity/identity-store.ts';
import { importStore } from './storage/import/import-store.ts';
import { oauthStore } from './storage/oauth/oauth-store.ts';
import { type Lifetimes, PURGE_STEP, purgeExpired } from './storage/purge/purge.ts';

export { startPurging } from './storage/purge/purge.ts';
// The drivers of both databases: loaded when they are needed.
export const databaseMove = () => import('./storage/copies/database-move.ts');
export { backUp, problemWithDatabase, restore } from './storage/copies/sqlite-backup.ts';

const LIFETIMES: Lifetimes = {
  accessToken: ACCESS_TOKEN_LIFETIME,
  family: FAMILY_LIFETIME,
  sessionIdle: SESSION_IDLE,
  removedPost: RESTORABLE_FOR,
  notification: NOTIFICATION_LIFETIME,
};

/** The rooms, ready to be used by the doors. */
export interface Portico {
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
  /** Views that are noted now and written a little later. */
  views: Views;
  /** Brings the database up to date and makes what it must have, such as the first signing keys. */
  prepare(): Promise<void>;
  /** Everything behind one address. */
  app(): Served;
  /** The secret of the link that makes the first operator: the same in all processes on one database. */
  setupToken(): Promise<string>;
  /** Deletes some of what has had its time. Returns how many rows went, 0 when none are left. */
  purge(): Promise<number>;
  /** Sends mails whose turn it is. Returns how many it took up. */
  sendMails(): Promise<number>;
  /** Sends mails from now on, as they come. Stopping waits for those under way. */
  startMailing(): Rounds;
  /** Finishes what was accepted and lets go of files and connections. */
  close(): Promise<void>;
}

/**
 * Opens the database (which must then be migrated) and the counters, and joins the rooms to them. `own` counts where no
 * counter is shared by all machines; `onAway` is called for every hit that it counts in the place of one that is.
 */
export async function compose(
  config: Config,
  clock: Clock = systemClock,
  log: Log = openLog(config.logLevel),
  own: Counter = processCounter(clock),
  onAway?: () => void,
): Promise<Portico> {
  const database = await openDatabase(config);
  const counter = await openCounter(config.redisUrl, own, clock, log, onAway);
  const stores = storesOn(database, config.cachedTokens);
  const { brand, baseUrl: issuer } = config;
  const oauth = { reads: stores.oauth, writes: stores.oauth, clock, brand, issuer };
  const identity: Identity = { reads: stores.identity, writes: stores.identity, clock };
  const site = { name: config.siteName, baseUrl: config.baseUrl, signUp: config.signUp };
  const mailer = openMailer(config.mail, log);
  const sendMails = () => sendDueMails(identity, (facts) => mailer(letterOf(site, facts)), tellOfMail(log));
  const community = { reads: stores.community, writes: stores.community, clock };
  const audit = { reads: auditStore(database) };
  const importing = importStore(database);
  const imports: Destination = { reads: importing, writes: importing, clock };
  const setupToken = () => derivedSecret(oauth, 'setup');
  const views = openViews(
    community,
    () => derivedSecret(oauth, 'views'),
    (error) => log.warn({ err: error }, 'views could not be written; they will be tried again'),
  );
  return {
    config,
    clock,
    log,
    counter,
    database,
    oauth,
    identity,
    community,
    audit,
    imports,
    views,
    setupToken,
    async prepare() {
      await database.migrate();
      await prepareSigningKeys(oauth);
    },
    app() {
      const rooms: Rooms = {
        oauth,
        identity,
        community,
        audit,
        views,
        counter,
        clock,
        log,
        setupToken,
        site,
        clientAddress: clientAddress(config.trustedProxies),
        rateLimitPerMinute: config.rateLimitPerMinute,
        tokenRateLimitPerMinute: config.tokenRateLimitPerMinute,
        isReady: () => isReachable(database),
      };
      return app(rooms, {
        api: apiDoor(rooms),
        tokens: tokenEndpoints(rooms),
        programs: [informationEndpoints(rooms)],
        pages: [authorizationPages(rooms), sitePages(rooms)],
        files: staticFiles(),
      });
    },
    sendMails,
    startMailing() {
      const tell = (error: unknown) =>
        log.warn({ err: error }, 'mails could not be read; it will be tried again');
      const round = restingAfter(sendMails, { more: 0, done: PAUSE_WITHOUT_MAIL }, tell);
      const rounds = startRounds(round, PAUSE_WITHOUT_MAIL);
      identity.onMail = rounds.wake;
      return rounds;
    },
    async purge() {
      const deleted = await purgeExpired(database, LIFETIMES, clock(), PURGE_STEP);
      // Afterwards: keys in disorder must not keep anything else from being done.
      await tendSigningKeys(oauth);
      return deleted;
    },
    async close() {
      await views.close();
      await database.close();
      await counter.close();
    },
  };
}

// What is not used is not loaded: the drivers of the other engines would cost start time and memory.
async function openDatabase({ database, databasePool }: Config): Promise<EitherDatabase> {
  if (database.kind === 'sqlite') return openSqlite(database.path);
  const { openPostgres } = await import('./storage/engine/postgres.ts');
  return openPostgres(database.url, databasePool);
}

type EitherDatabase = SqliteDatabase | PostgresDatabase;

/** What the rooms ask of storage. Without the lines about the cache everything is the same, and slower. */
function storesOn(database: EitherDatabase, cachedTokens: number) {
  const oauth = oauthStore(database);
  const identity = identityStore(database);
  const community = communityStore(database);
  // Only a server of PostgreSQL knows what other machines have written to it.
  if (database.dialect === 'postgres') return { oauth, identity, community };
  const cache = openCache(database, cachedTokens);
  return {
    oauth: cachedOAuthStore(oauth, cache),
    identity,
    community: cachedCommunityStore(community, cache),
  };
}

function openMailer({ smtpUrl, outbox, from }: Config['mail'], log: Log): Mailer {
  if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from);
  return folderMailer(outbox, from, (file) => log.info({ file }, 'a mail was written into the outbox'));
}

const PAUSE_WITHOUT_MAIL = 3 * SECOND;

// Neither the address nor what the mail says.
function tellOfMail(log: Log): TellOfFailure {
  return ({ isLastAttempt, ...facts }) =>
    log.warn(facts, isLastAttempt ? 'a mail was given up' : 'a mail was not taken; it will be tried again');
}

async function openCounter(
  redisUrl: string | undefined,
  own: Counter,
  clock: Clock,
  log: Log,
  onAway: (() => void) | undefined,
): Promise<Counter> {
  if (redisUrl === undefined) return own;
  const { redisCounter } = await import('./lib/redis-counter.ts');
  const tell = (reason: string) =>
    log.warn({ reason }, 'the shared counter does not answer: limits hold per process');
  return steadyCounter(redisCounter(redisUrl), own, clock, tell, onAway);
}
