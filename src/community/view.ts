// Views: each visitor counts once for a post and a day. Looked at now, written a little later, so that no page waits.

import { createHmac } from 'node:crypto';
import { SECOND, siteDayOf } from '../lib/clock.ts';
import type { Community } from './community.ts';

/** That somebody looked at a post on a day. `visitor` tells the same one again on that day, and nothing else. */
export interface View {
  postId: number;
  /** As in `siteDayOf`. */
  day: number;
  visitor: string;
}

export interface ViewStore {
  /** Counts each view of a published post once, in a step of its own. */
  countViews(views: readonly View[]): Promise<void>;
}

/** Who looks: the number of a member, or of anybody else what their requests have in common. */
export type Looker = { userId: number } | { address: string; userAgent: string };

export interface Views {
  /** Notes a view. It waits in memory for a few seconds: what a crash loses is no more than that. */
  note(postId: number, looker: Looker): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
  /** Writes what was noted; nothing is taken any more. */
  close(): Promise<void>;
}

const PAUSE = 5 * SECOND;
// Some megabytes. Who comes beyond them, within a few seconds, is not counted.
const MOST_WAITING = 20_000;

/**
 * Notes views, and writes them in turns. `secret` is asked for at each turn; `onFailure` hears of a turn that could not
 * be written: its views are tried again with the next.
 */
export function openViews(
  { writes, clock }: Community,
  secret: () => Promise<string>,
  onFailure: (error: unknown) => void,
): Views {
  let waiting = new Map<string, { postId: number; day: number; who: string }>();
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();
  let closed = false;

  async function write(): Promise<void> {
    const turn = waiting;
    if (turn.size === 0) return;
    waiting = new Map();
    try {
      const key = await secret();
      await writes.countViews([...turn.values()].map((noted) => viewOf(noted, key)));
    } catch (error) {
      for (const [name, noted] of turn) if (waiting.size < MOST_WAITING) waiting.set(name, noted);
      onFailure(error);
      writeSoon();
    }
  }

  // One turn after the other: two at once would be two for the database to put in order.
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    underWay = underWay.then(write);
    return underWay;
  }

  function writeSoon(): void {
    if (!closed) timer ??= setTimeout(flush, PAUSE).unref();
  }

  return {
    note(postId, looker) {
      if (closed || waiting.size >= MOST_WAITING) return;
      const who =
        'userId' in looker
          ? `member ${looker.userId}`
          : `${looker.address}\n${looker.userAgent.slice(0, 500)}`;
      const day = siteDayOf(clock());
      waiting.set(`${postId} ${day} ${who}`, { postId, day, who });
      writeSoon();
    },
    flush,
    close() {
      closed = true;
      return flush();
    },
  };
}

/** Reports whether a program says of itself that it reads for a search engine or the like. */
export function isCrawler(userAgent: string): boolean {
  return /bot|crawl|spider/i.test(userAgent);
}

// With the day in it, the digest of the next day says nothing of this one's; without the secret nobody can try names.
function viewOf({ postId, day, who }: { postId: number; day: number; who: string }, secret: string): View {
  const visitor = createHmac('sha256', secret).update(`${day}\n${who}`).digest('base64url').slice(0, 22);
  return { postId, day, visitor };
}
