// The event stream of an application's requests: it says that there are new ones, and the page then reads them.

import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../../lib/clock.ts';
import type { Client } from '../../../oauth/client-store.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { untilAnswered } from '../../until-answered.ts';
import type { SiteParts } from '../site-parts.ts';

// Each takes a query a second.
const MOST_STREAMS = 200;
const MOST_OF_MEMBER = 5;
const BETWEEN_LOOKS = 1 * SECOND;
// Proxies cut a connection on which nothing comes for 30 seconds.
const BETWEEN_SIGNS = 15;
// Then the browser opens the next stream by itself.
const LONGEST = (10 * MINUTE) / BETWEEN_LOOKS;

const open = new Map<number, number>();

/** Says whether the reader may still read: a session can end, and an application can get another owner. */
type MayRead = () => Promise<boolean>;

/** Answer with the stream. A process has few of them, so a member with too many must wait. */
export function requestStream(
  { oauth }: SiteParts,
  c: PageContext,
  userId: number,
  client: Client,
  mayRead: MayRead,
): Response {
  const count = open.get(userId) ?? 0;
  const all = [...open.values()].reduce((sum, one) => sum + one, 0);
  c.header('Cache-Control', 'no-store');
  if (count >= MOST_OF_MEMBER || all >= MOST_STREAMS) return c.text('Too many streams.', 429);
  const { outgoing } = c.env;
  open.set(userId, count + 1);
  untilAnswered(outgoing, () => giveBack(userId));
  const versionNow = () => oauth.reads.requestsVersion(client.id);
  const events = eventsOf(versionNow, mayRead, outgoing);
  c.header('Content-Type', 'text/event-stream');
  // nginx would wait until its buffer is full.
  c.header('X-Accel-Buffering', 'no');
  return c.body(ReadableStream.from(events));
}

function giveBack(userId: number): void {
  const left = (open.get(userId) ?? 1) - 1;
  if (left === 0) open.delete(userId);
  else open.set(userId, left);
}

async function* eventsOf(
  versionNow: () => Promise<number>,
  mayRead: MayRead,
  outgoing: PageContext['env']['outgoing'],
): AsyncGenerator<Uint8Array> {
  const couldStay = outgoing.shouldKeepAlive;
  let version = await versionNow();
  yield encoded('retry: 3000\n\n');
  for (let looks = 1; looks < LONGEST; looks += 1) {
    await pause(BETWEEN_LOOKS, undefined, { ref: false });
    // The server is stopping (connections.ts), or the reader is gone.
    if (outgoing.destroyed || (couldStay && !outgoing.shouldKeepAlive)) return;
    const current = await versionNow();
    if (current !== version) {
      if (!(await mayRead())) return;
      version = current;
      yield encoded('event: requests\ndata: new\n\n');
    } else if (looks % BETWEEN_SIGNS === 0) yield encoded(':\n\n');
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
