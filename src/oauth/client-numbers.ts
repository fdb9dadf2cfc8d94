// What an application does, counted by the hour for its owner: answers of the API and of the token endpoint, callbacks,
// and secrets. Counted in memory and written every ten seconds, so that no request waits for the database.

import { openBatches } from '../lib/batches.ts';
import { DAY, HOUR, SECOND, type Timestamp } from '../lib/clock.ts';
import { memoize } from '../lib/remember.ts';
import { digestOf } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClientHour, ClientNumbersReads } from './client-numbers-store.ts';

/** How long the numbers are kept. */
export const CLIENT_NUMBERS_LIFETIME = 31 * DAY;

export interface ClientNumbers {
  /**
   * Counts one of these: an API answer's status, `token` for tokens that were issued, an error code of the token
   * endpoint, or the name of a callback or a secret. A crash loses the last ten seconds.
   */
  note(clientId: string, what: string, at: Timestamp): void;
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
  const { get, set, flush, close } = openBatches<ClientHour>({
    async write(batch) {
      await writes.addClientHours([...batch.values()]);
      batch.clear();
    },
    onFailure,
    pause: PAUSE,
    most: MOST_WAITING,
    join: (failed, newer) => ({ ...newer, times: failed.times + newer.times }),
  });
  return {
    note(clientId, what, at) {
      const hour = at - (at % HOUR);
      const key = `${clientId} ${hour} ${what}`;
      const line = get(key);
      if (line === undefined) set(key, { clientId, hour, what, times: 1 });
      else line.times += 1;
    },
    flush,
    close,
  };
}

/** The name under which the uses of a callback are counted. An address can be long, so it is a digest. */
export const callbackName = memoize(
  (redirectUri: string) => `callback ${digestOf(redirectUri).slice(0, 16)}`,
  1000,
);

/** The name under which the uses of a secret with this ending are counted. */
export function secretName(ending: string | undefined): string {
  return `secret ${ending ?? ''}`;
}

/** Read the numbers of an application, and how often an old refresh token was used. */
export async function readClientNumbers(
  { reads, clock }: { reads: ClientNumbersReads; clock: AuthorizationServer['clock'] },
  clientId: string,
): Promise<{ hours: ClientHour[]; replays: number }> {
  const since = clock() - CLIENT_NUMBERS_LIFETIME;
  const hours = await reads.clientHours(clientId, since);
  return { hours, replays: await reads.countReplays(clientId, since) };
}
