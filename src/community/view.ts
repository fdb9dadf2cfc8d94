// Views. Each visitor counts once per post and day. Views are collected in memory and written in batches, so
// that no page waits for the database.

import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { openBatches } from '../lib/batches.ts';
import { SECOND, siteDayOf } from '../lib/clock.ts';
import { wholeNetworkOf } from '../lib/network.ts';
import type { Community } from './community.ts';
import type { View } from './view-store.ts';

/** A visitor: a member, or the address and browser of a visitor who isn't signed in. */
export type Viewer = { userId: number } | { address: string; userAgent: string };

export interface Views {
  /** Notes a view, which waits in memory for a few seconds. A crash loses no more than these. */
  note(postId: number, viewer: Viewer): void;
  /** Writes the views that wait. */
  flush(): Promise<void>;
  /** Writes the views that wait, and ignores later ones. */
  close(): Promise<void>;
}

const PAUSE = 5 * SECOND;
const GROUPS_OF_ADDRESS = 5;
const GROUPS_OF_NETWORK = 20;
// Takes a few megabytes of memory. Further views are not counted until the next batch is written.
const MOST_WAITING = 20_000;

/**
 * Note views, and write them in batches. `secret` is read for each batch. `onFailure` is called for a batch
 * that could not be written; its views are tried again with the next batch.
 */
export function openViews(
  { writes, clock }: Community,
  secret: () => Promise<string>,
  onFailure: (error: unknown) => void,
): Views {
  const { set, flush, close } = openBatches<{ postId: number; day: number; viewer: string }>({
    async write(batch) {
      const key = await secret();
      await writes.countViews([...batch.values()].map((view) => viewOf(view, key)));
    },
    onFailure,
    pause: PAUSE,
    most: MOST_WAITING,
  });
  return {
    note(postId, viewer) {
      const day = siteDayOf(clock());
      const name = nameOf(viewer);
      set(`${postId} ${day} ${name}`, { postId, day, viewer: name });
    },
    flush,
    close,
  };
}

/** Whether the user agent is a program that calls itself a crawler, for example of a search engine. */
export function isCrawler(userAgent: string): boolean {
  return /bot|crawl|spider/i.test(userAgent);
}

function nameOf(viewer: Viewer): string {
  if ('userId' in viewer) return `member ${viewer.userId}`;
  // Several people share an address, but one person can send any number of user agents, and have a whole IPv6 network
  // of /48. So the browsers of an address or such a network count as a few groups.
  const { address, userAgent } = viewer;
  const network = wholeNetworkOf(address);
  const group =
    network === address
      ? crc32(userAgent) % GROUPS_OF_ADDRESS
      : crc32(`${address}\n${userAgent}`) % GROUPS_OF_NETWORK;
  return `${network}\n${group}`;
}

// The digest contains the day, so a visitor's digests of two days can't be linked. Without the secret,
// guesses can't be checked.
function viewOf(
  { postId, day, viewer }: { postId: number; day: number; viewer: string },
  secret: string,
): View {
  const visitor = createHmac('sha256', secret).update(`${day}\n${viewer}`).digest('base64url').slice(0, 22);
  return { postId, day, visitor };
}
