// Files to save, sent while they are made, so that little of them is in memory at a time.

import { setImmediate } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { MINUTE } from '../../lib/clock.ts';
import { untilAnswered } from '../until-answered.ts';
import { tooOftenPage } from './too-often.ts';
import type { PageContext } from './visitor.ts';

// Text is collected up to this length before it is sent.
const CHUNK_CHARACTERS = 64 * 1024;

// How long a refused one waits, in seconds.
const RETRY_AFTER = 60;

const TYPES = { json: 'application/json', csv: 'text/csv' } as const;

// A slow reader holds up to 2 MB.
const MOST_AT_ONCE = 20;
const MOST_FROM_ADDRESS = 4;
const inProgress = new Set<{ userId: number; address: string }>();

/**
 * Make room for a download until this request is answered, or answer that there is none now: each member can have one,
 * each address a few, and all together some. `back` is the path to return to.
 */
export function withoutRoom(
  c: PageContext,
  from: { userId: number; address: string },
  back: string,
): Promise<Response> | undefined {
  const others = [...inProgress];
  const hasRoom =
    others.length < MOST_AT_ONCE &&
    others.filter(({ address }) => address === from.address).length < MOST_FROM_ADDRESS &&
    others.every(({ userId }) => userId !== from.userId);
  if (!hasRoom) return tooOftenPage(c, { retryAfterSeconds: RETRY_AFTER }, back);
  inProgress.add(from);
  const { outgoing } = c.env as HttpBindings;
  untilAnswered(outgoing, () => inProgress.delete(from));
  return undefined;
}

/**
 * Answer with a file of this name, which is made piece by piece. Its ending is `json` or `csv`. It breaks off when the
 * visitor's session ends.
 */
export function downloadOf(c: PageContext, name: string, pieces: AsyncGenerator<string>): Response {
  const type = name.endsWith('.csv') ? TYPES.csv : TYPES.json;
  const progress = { bytes: 0, isMaking: false, isComplete: false };
  endIfTooSlow(c, progress);
  return c.body(streamOf(c, pieces, progress), 200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  });
}

interface Progress {
  /** How many bytes the connection has taken, some of which can still be in its buffers. */
  bytes: number;
  /** Whether the server makes a piece now, so that the reader waits for it. */
  isMaking: boolean;
  isComplete: boolean;
}

// A reader who takes less than 1 MB in two minutes would keep the room of others. After the last piece, up to 2 MB are
// in buffers.
const WINDOW = 2 * MINUTE;
const LEAST_BYTES = 1_000_000;

function endIfTooSlow({ env }: PageContext, progress: Progress): void {
  const { outgoing } = env as HttpBindings;
  let before = 0;
  let patience = 1;
  const timer = setInterval(() => {
    const isTooSlow = !progress.isMaking && progress.bytes - before < LEAST_BYTES;
    before = progress.bytes;
    patience = isTooSlow ? patience - 1 : progress.isComplete ? 2 : 1;
    if (patience === 0) outgoing.destroy();
  }, WINDOW);
  timer.unref();
  untilAnswered(outgoing, () => clearInterval(timer));
}

// Pull from the database only as fast as the browser receives. SQLite answers at once, so that a fast reader would keep
// the process from all others until the end.
function streamOf(
  c: PageContext,
  pieces: AsyncGenerator<string>,
  progress: Progress,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const visitor = c.get('visitor');
  return new ReadableStream({
    async pull(controller) {
      await setImmediate();
      await visitor.lookAgain?.();
      if (visitor.visit === undefined) {
        (c.env as HttpBindings).outgoing.destroy();
        return;
      }
      progress.isMaking = true;
      let text = '';
      let isLast = false;
      while (text.length < CHUNK_CHARACTERS && !isLast) {
        const { value, done } = await pieces.next();
        if (done) isLast = true;
        else text += value;
      }
      progress.isMaking = false;
      const bytes = encoder.encode(text);
      progress.bytes += bytes.length;
      if (bytes.length > 0) controller.enqueue(bytes);
      progress.isComplete = isLast;
      if (isLast) controller.close();
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
