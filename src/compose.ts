// Puts the house together. The only file that sees every room, and it holds no logic.

import type { Community } from './community/community.ts';
import type { Config } from './config.ts';
import type { Identity } from './identity/identity.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type Counter, processCounter } from './lib/counter.ts';
import { type Log, openLog } from './lib/log.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import { communityStore } from './storage/community-store.ts';
import type { Database } from './storage/database.ts';
import { identityStore } from './storage/identity-store.ts';
import { oauthStore } from './storage/oauth-store.ts';
import { openSqlite } from './storage/sqlite.ts';

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
  /** Finishes what was accepted and lets go of files and connections. */
  close(): Promise<void>;
}

/** Opens the database (which must then be migrated) and the counters, and joins the rooms to them. */
export async function compose(config: Config, clock: Clock = systemClock): Promise<Portico> {
  const log = openLog(config.logLevel);
  const database = await openDatabase(config.database);
  const counter = await openCounter(config.redisUrl, clock);
  return {
    config,
    clock,
    log,
    counter,
    database,
    oauth: { store: oauthStore(database), clock, brand: config.brand, issuer: config.baseUrl },
    identity: { store: identityStore(database), clock },
    community: { store: communityStore(database), clock },
    async close() {
      await database.close();
      await counter.close();
    },
  };
}

// What is not used is not loaded: the drivers of the other engines would cost start time and memory.
async function openDatabase(database: Config['database']): Promise<Database> {
  if (database.kind === 'sqlite') return openSqlite(database.path);
  const { openPostgres } = await import('./storage/postgres.ts');
  return openPostgres(database.url);
}

async function openCounter(redisUrl: string | undefined, clock: Clock): Promise<Counter> {
  if (redisUrl === undefined) return processCounter(clock);
  const { redisCounter } = await import('./lib/redis-counter.ts');
  return redisCounter(redisUrl);
}
