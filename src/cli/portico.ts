// The house, opened for one command and closed after it.

import type { Portico } from '../compose.ts';
import type { Config } from '../config.ts';
import type { User } from '../identity/user.ts';
import { usernameKey } from '../identity/username.ts';
import { Refusal } from '../lib/refusal.ts';
import { StorageUnavailable } from '../lib/storage-unavailable.ts';
import type { Context } from './command.ts';

/** Opens the database, bringing its schema up to date, does the work, and closes it. */
export async function withPortico<T>(context: Context, work: (portico: Portico) => Promise<T>): Promise<T> {
  const config = await context.config();
  const portico = await open(config);
  try {
    return await work(portico);
  } catch (error) {
    if (error instanceof StorageUnavailable) throw unavailable(config, error.cause);
    throw error;
  } finally {
    await portico.close();
  }
}

/** The account of that name; refused if there is none. */
export async function findAccount(portico: Portico, username: string): Promise<User> {
  const user = await portico.identity.reads.findUserByName(usernameKey(username));
  if (user === undefined) throw new Refusal('user_not_found', `There is no member named "${username}".`);
  return user;
}

/** As `findAccount`, and refused for a closed account, with which nothing can be done any more. */
export async function findOpenAccount(portico: Portico, username: string): Promise<User> {
  const user = await findAccount(portico, username);
  if (user.status !== 'closed') return user;
  throw new Refusal('account_closed', `The account of ${user.username} is closed.`);
}

async function open(config: Config): Promise<Portico> {
  const { compose } = await import('../compose.ts');
  let portico: Portico | undefined;
  try {
    // A command counts no requests and keeps no log: its standard output is its answer.
    portico = await compose({ ...config, redisUrl: undefined, logLevel: 'silent' });
    await portico.database.migrate();
    return portico;
  } catch (error) {
    await portico?.close();
    throw unavailable(config, error);
  }
}

function unavailable({ database }: Config, cause: unknown): Refusal {
  const place = database.kind === 'sqlite' ? database.path : withoutPassword(database.url);
  return new Refusal('storage_unavailable', `The database ${place} is not available${reason(cause)}.`);
}

// The driver's own words, which name no password. A refused connection has only a code.
function reason(cause: unknown): string {
  const { message, code } = cause as { message?: string; code?: string };
  const words = message || code;
  return words === undefined ? '' : `: ${words.split('\n')[0]}`;
}

/** An address of PostgreSQL, fit to be shown: without user, password and options. */
export function withoutPassword(text: string): string {
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
