// The public keys of a partner who signs messages, read from an address in the form of GitHub's
// `/meta/public_keys/secret_scanning`.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, DAY, HOUR, MINUTE, SECOND, type Timestamp } from './clock.ts';
import { fetchPublic } from './public-fetch.ts';

const PATIENCE = 5 * SECOND;
const MOST_BYTES = 200_000;
const FRESH = 1 * HOUR;
// While the keys can't be read, those that were read before are still used for so long.
const LONGEST_KEPT = 1 * DAY;
// GitHub answers 60 requests an hour, and strangers can send any id.
const UNKNOWN_ID_PAUSE = 10 * MINUTE;
const FIRST_FAILURE_PAUSE = 1 * MINUTE;
const LONGEST_FAILURE_PAUSE = 16 * MINUTE;

/** Finds a key by its id. Undefined if the partner has none with it. Throws `KeysMissing` if the keys can't be read. */
export type FindKey = (id: string) => Promise<KeyObject | undefined>;

/** The partner's keys can't be read now, so that no signature can be judged. */
export class KeysMissing extends Error {}

type Keys = ReadonlyMap<string, KeyObject>;

/**
 * Make the function that finds the partner's keys, undefined without an address. `tell` is called for each reading that
 * failed. After a failure the next reading waits for a minute, and longer each time.
 */
export function partnerKeys(
  url: string | undefined,
  clock: Clock,
  tell: (error: unknown) => void,
): FindKey | undefined {
  if (url === undefined) return undefined;
  const address = url;
  let keys: Keys = new Map();
  let readAt: Timestamp | undefined;
  let failures = 0;
  let pauseUntil: Timestamp = 0;
  let reading: Promise<void> | undefined;

  async function readAgain(): Promise<void> {
    try {
      keys = await read(address);
      readAt = clock();
      failures = 0;
    } catch (error) {
      pauseUntil = clock() + Math.min(LONGEST_FAILURE_PAUSE, FIRST_FAILURE_PAUSE * 2 ** failures);
      failures += 1;
      tell(error);
    }
    reading = undefined;
  }

  const age = () => (readAt === undefined ? Number.POSITIVE_INFINITY : clock() - readAt);

  async function refresh(longest: number): Promise<void> {
    if (age() < longest || clock() < pauseUntil) return;
    reading ??= readAgain();
    await reading;
  }

  return async (id) => {
    await refresh(FRESH);
    if (!keys.has(id)) await refresh(UNKNOWN_ID_PAUSE);
    if (age() >= LONGEST_KEPT) throw new KeysMissing();
    return keys.get(id);
  };
}

async function read(url: string): Promise<Keys> {
  const { status, body } = await fetchPublic(url, {
    headers: { 'User-Agent': 'Portico', Accept: 'application/json' },
    ports: 'any',
    mostBytes: MOST_BYTES,
    time: PATIENCE,
    // The setting takes http on loopback only.
    network: url.startsWith('http:') ? LOOPBACK : {},
  });
  if (status !== 200) throw new Error(`status ${status}`);
  const { public_keys: list } = JSON.parse(new TextDecoder().decode(body)) as {
    public_keys: { key_identifier: string; key: string }[];
  };
  return new Map(list.map(({ key_identifier: id, key }) => [id, createPublicKey(key)]));
}

const LOOPBACK = { isPublic: () => true };
