// What an application does, counted by the hour for its owner: answers of the API and of the token endpoint. Also when
// each callback and secret was last used. Kept in memory and written every ten seconds, so that no request waits.

import { openBatches } from '../lib/batches.ts';
import { DAY, HOUR, SECOND, type Timestamp } from '../lib/clock.ts';
import { memoize } from '../lib/remember.ts';
import { digestOf } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientHour, ClientNumbersReads, ClientUse } from './client-numbers-store.ts';

/** How long the numbers are kept. */
export const CLIENT_NUMBERS_LIFETIME = 31 * DAY;

export interface ClientNumbers {
  /**
   * Counts one of these: an API answer's status, `token` for tokens that were issued, or an error code of the token
   * endpoint. A crash loses the last ten seconds.
   */
  note(clientId: string, what: string, at: Timestamp): void;
  /** Notes the use of a callback or a secret, by its name. */
  noteUse(clientId: string, name: string, at: Timestamp): void;
  /** Writes what was counted. */
  flush(): Promise<void>;
  /** Writes what was counted, and ignores what comes later. */
  close(): Promise<void>;
}

const PAUSE = 10 * SECOND;
const MOST_WAITING = 50_000;

/** Start counting. `onFailure` is called for numbers that could not be written; they are tried again. */
export function openClientNumbers(
  { writes }: AuthorizationServer,
  onFailure: (error: unknown) => void,
): ClientNumbers {
  const { get, set, flush, close } = openBatches<ClientHour | ClientUse>({
    async write(batch) {
      const waiting = [...batch];
      const hours = waiting.flatMap(([, line]) => ('what' in line ? [line] : []));
      if (hours.length > 0) await writes.addClientHours(hours);
      for (const [key, line] of waiting) if ('what' in line) batch.delete(key);
      const uses = waiting.flatMap(([, line]) => ('name' in line ? [line] : []));
      if (uses.length > 0) await writes.setClientUses(uses);
      batch.clear();
    },
    onFailure,
    pause: PAUSE,
    most: MOST_WAITING,
    join: (failed, newer) =>
      'times' in failed && 'times' in newer ? { ...newer, times: failed.times + newer.times } : newer,
  });
  return {
    note(clientId, what, at) {
      const hour = at - (at % HOUR);
      const key = `${clientId} ${hour} ${what}`;
      const line = get(key);
      if (line === undefined) set(key, { clientId, hour, what, times: 1 });
      else if ('times' in line) line.times += 1;
    },
    noteUse(clientId, name, at) {
      set(`${clientId} ${name}`, { clientId, name, lastHour: at - (at % HOUR) });
    },
    flush,
    close,
  };
}

/** The name under which the use of a callback is noted. An address can be long, so it is a digest. */
export const callbackName = memoize(
  (redirectUri: string) => `callback ${digestOf(redirectUri).slice(0, 16)}`,
  1000,
);

/** The name under which the use of a secret with this ending is noted. */
export function secretName(ending: string | undefined): string {
  return `secret ${ending ?? ''}`;
}

/** Forget the uses of callbacks and secrets that an application no longer has. */
export async function forgetOldUses(
  { reads, writes }: Pick<AuthorizationServer, 'reads' | 'writes'>,
  clientId: string,
): Promise<void> {
  const client = await reads.findClient(clientId);
  if (client === undefined) return;
  const secrets = [client.secretEnding, client.previousSecretEnding].map(secretName);
  await writes.keepClientUses(clientId, [...client.redirectUris.map(callbackName), ...secrets]);
}

/** Read the numbers of an application, and how often an old refresh token was used. */
export async function readClientNumbers(
  { reads, clock }: { reads: ClientNumbersReads; clock: AuthorizationServer['clock'] },
  clientId: string,
): Promise<{ hours: ClientHour[]; uses: ClientUse[]; replays: number }> {
  const since = clock() - CLIENT_NUMBERS_LIFETIME;
  const hours = await reads.clientHours(clientId, since);
  const uses = await reads.clientUses(clientId);
  return { hours, uses, replays: await reads.countReplays(clientId, since) };
}
