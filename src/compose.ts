// Puts the house together. The only file that sees every room, and it holds no logic.

import type { Hono } from 'hono';
import type { Community } from './community/community.ts';
import type { Config } from './config.ts';
import { apiDoor } from './http/api/door.ts';
import { app, type Rooms } from './http/app.ts';
import { clientAddress } from './http/client-address.ts';
import { authorizationDoor, informationDoor, tokenDoor } from './http/oauth/door.ts';
import { staticFiles } from './http/page.ts';
import { failurePage, notFoundPage, siteDoor } from './http/site/door.ts';
import { loginPages } from './http/site/login.ts';
import type { PageEnv } from './http/visitor.ts';
import type { Identity } from './identity/identity.ts';
import { SESSION_IDLE } from './identity/session.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type Counter, processCounter } from './lib/counter.ts';
import { type Log, openLog } from './lib/log.ts';
import { steadyCounter } from './lib/steady-counter.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import { ACCESS_TOKEN_LIFETIME, FAMILY_LIFETIME } from './oauth/issued-tokens.ts';
import { prepareSigningKeys, sharedSecret, tendSigningKeys } from './oauth/signing-key.ts';
import { communityStore } from './storage/community-store.ts';
import { type Database, isReachable } from './storage/database.ts';
import { identityStore } from './storage/identity-store.ts';
import { oauthStore } from './storage/oauth-store.ts';
import { type Lifetimes, PURGE_STEP, purgeExpired } from './storage/purge.ts';
import { openSqlite } from './storage/sqlite.ts';

export { startPurging } from './storage/purge.ts';
// The drivers of both databases: loaded when they are needed.
export const databaseMove = () => import('./storage/database-move.ts');
export { backUp, CopyRefused, problemWithDatabase, restore } from './storage/sqlite-backup.ts';

const LIFETIMES: Lifetimes = {
  accessToken: ACCESS_TOKEN_LIFETIME,
  family: FAMILY_LIFETIME,
  sessionIdle: SESSION_IDLE,
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
  /** Brings the database up to date and makes what it must have, such as the first signing keys. */
  prepare(): Promise<void>;
  /** Everything behind one address. */
  app(): Hono<PageEnv>;
  /** For a request that came behind another one in the same packet: what was true for that may be over. */
  lookAnew(): void;
  /** The secret of the link that makes the first operator: the same in all processes on one database. */
  setupToken(): Promise<string>;
  /** Deletes some of what has had its time. Returns how many rows went, 0 when none are left. */
  purge(): Promise<number>;
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
  const oauth = { store: oauthStore(database), clock, brand: config.brand, issuer: config.baseUrl };
  const identity = { store: identityStore(database), clock };
  const community = { store: communityStore(database), clock };
  const setupToken = () => sharedSecret(oauth, 'setup');
  return {
    config,
    clock,
    log,
    counter,
    database,
    oauth,
    identity,
    community,
    setupToken,
    lookAnew: database.lookAnew,
    async prepare() {
      await database.migrate();
      await prepareSigningKeys(oauth);
    },
    app() {
      const rooms: Rooms = {
        oauth,
        identity,
        community,
        counter,
        clock,
        log,
        setupToken,
        site: { name: config.siteName, baseUrl: config.baseUrl },
        clientAddress: clientAddress(config.trustedProxies),
        rateLimitPerMinute: config.rateLimitPerMinute,
        tokenRateLimitPerMinute: config.tokenRateLimitPerMinute,
        isReady: () => isReachable(database),
      };
      return app(rooms, {
        api: apiDoor(rooms),
        tokens: tokenDoor(rooms),
        programs: [informationDoor(rooms)],
        pages: [authorizationDoor(rooms), loginPages(rooms), siteDoor(rooms)],
        files: staticFiles(),
        notFoundPage,
        failurePage,
      });
    },
    async purge() {
      const deleted = await purgeExpired(database, LIFETIMES, clock(), PURGE_STEP);
      // Afterwards: keys in disorder must not keep anything else from being done.
      await tendSigningKeys(oauth);
      return deleted;
    },
    async close() {
      await database.close();
      await counter.close();
    },
  };
}

// What is not used is not loaded: the drivers of the other engines would cost start time and memory.
async function openDatabase({ database, cachedTokens, databasePool }: Config): Promise<Database> {
  if (database.kind === 'sqlite') return openSqlite(database.path, cachedTokens);
  const { openPostgres } = await import('./storage/postgres.ts');
  return openPostgres(database.url, databasePool);
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
