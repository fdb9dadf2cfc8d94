// Opens the modules of the program (compose.ts) for one command, and closes them after it.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Portico } from '../compose.ts';
import type { Config } from '../config.ts';
import type { User } from '../identity/user.ts';
import { usernameKey } from '../identity/username.ts';
import { Refusal } from '../lib/refusal.ts';
import { StorageUnavailable } from '../lib/storage-unavailable.ts';
import { databaseFailure } from '../setting-failures.ts';
import type { Context } from './command.ts';

/**
 * Open the database, update its schema, run `work`, and close the database. Throws `Refusal`, also if there is no
 * community at DATABASE_URL: a mistyped address must not make a second, empty one.
 */
export async function withPortico<T>(context: Context, work: (portico: Portico) => Promise<T>): Promise<T> {
  const config = await context.config();
  const portico = await open(config, context.creates);
  try {
    return await work(portico);
  } catch (error) {
    if (error instanceof StorageUnavailable) throw unavailable(config, error.cause);
    throw error;
  } finally {
    await portico.close();
  }
}

/** Find the account with this username, or that had it before. Throws `Refusal` if there is none. */
export async function findAccount(portico: Portico, username: string): Promise<User> {
  const user = await portico.identity.reads.findUserByAnyName(usernameKey(username));
  if (user === undefined) throw new Refusal('user_not_found', `There is no member named "${username}".`);
  return user;
}

/** Find the account with this username, unless the account is closed. Throws `Refusal`. */
export async function findOpenAccount(portico: Portico, username: string): Promise<User> {
  const user = await findAccount(portico, username);
  if (user.status !== 'closed') return user;
  throw new Refusal('account_closed', `The account of ${user.username} is closed.`);
}

async function open(config: Config, creates: boolean): Promise<Portico> {
  const { database } = config;
  // Opening a SQLite file would create it.
  if (!creates && database.kind === 'sqlite' && !existsSync(database.path)) throw noCommunity(config);
  const { compose } = await import('../compose.ts');
  let portico: Portico | undefined;
  try {
    // A command serves no requests, and standard output is for its result.
    portico = await compose({ ...config, redisUrl: undefined, logLevel: 'silent' });
    if (!creates && !(await portico.database.isMigrated())) throw noCommunity(config);
    await portico.database.migrate();
    return portico;
  } catch (error) {
    await portico?.close();
    if (error instanceof Refusal) throw error;
    throw unavailable(config, error);
  }
}

function noCommunity(config: Config): Refusal {
  return new Refusal(
    'no_community',
    `There is no community at ${placeOf(config)}. Is DATABASE_URL right? To make a new community there, ` +
      'start the server, or add --create.',
  );
}

function unavailable({ database }: Config, cause: unknown): Refusal {
  return new Refusal('storage_unavailable', `${databaseFailure(database, cause)}.`);
}

function placeOf({ database }: Config): string {
  return database.kind === 'sqlite' ? resolve(database.path) : withoutPassword(database.url);
}

/** The address of a PostgreSQL database without user, password and options. */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
