// The public keys of a partner who signs messages, read from an address in the form of GitHub's
// `/meta/public_keys/secret_scanning`.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, HOUR, MINUTE, SECOND, type Timestamp } from './clock.ts';
import { fetchPublic } from './public-fetch.ts';

const PATIENCE = 5 * SECOND;
const MOST_BYTES = 200_000;

/** Finds a key by its id. Undefined if the partner has none with it. Throws if the keys can't be read. */
export type FindKey = (id: string) => Promise<KeyObject | undefined>;

/**
 * Make the function that finds the partner's keys, undefined without an address. They are kept for an hour. An unknown
 * id makes it read them again, once a minute at most: a new key is found, and strangers can't cause many requests.
 */
export function partnerKeys(url: string | undefined, clock: Clock): FindKey | undefined {
  if (url === undefined) return undefined;
  const address = url;
  let keys: Promise<ReadonlyMap<string, KeyObject>> | undefined;
  let readAt: Timestamp = 0;

  function current(longest: number): Promise<ReadonlyMap<string, KeyObject>> {
    if (keys === undefined || clock() - readAt >= longest) {
      readAt = clock();
      const reading = read(address);
      keys = reading;
      // A failure is not kept: the next message tries again.
      reading.catch(() => {
        if (keys === reading) keys = undefined;
      });
    }
    return keys;
  }

  return async (id) => (await current(HOUR)).get(id) ?? (await current(MINUTE)).get(id);
}

async function read(url: string): Promise<ReadonlyMap<string, KeyObject>> {
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
