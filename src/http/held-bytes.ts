// The memory that bodies and unsent answers take, and who may take more. Bodies and answers are judged apart, so that
// callers who don't read their answers can't keep others from sending forms.

import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../lib/clock.ts';
import { networkAround, wholeNetworkOf } from '../lib/network.ts';

const MB = 1024 * 1024;
const MOST = 64 * MB;
const MOST_OF_CALLER = 8 * MB;
// One person can have a whole /48 network.
const MOST_OF_NETWORK = 32 * MB;
// Bodies up to this length are always read, so that nobody can keep others from signing in.
const SMALL = 16 * 1024;
// A client that receives nothing of an answer for so long is cut. Node looks twice, so it can take twice as long.
const UNREAD_FOR = 10 * SECOND;

/** What a connection holds. */
export interface Holder {
  /** The address of the newest request's caller. */
  caller: string;
  /** The bytes that the bodies of its requests take, also after it was closed, until the work for them has ended. */
  bodyBytes: number;
  /** The bytes of its complete answers that the system could not send at once. */
  answerBytes: number;
}

/** Whose bytes are too many: the caller's, those of the /48 network around it, or those of all callers together. */
export type Excess = 'caller' | 'network' | 'process';

interface Place {
  holder: Holder;
  all: Map<Socket, Holder>;
}

const places = new WeakMap<Socket, Place>();

/** Add a new connection to all others that are open, or of which bodies are held. */
export function countTogether(socket: Socket, holder: Holder, all: Map<Socket, Holder>): void {
  places.set(socket, { holder, all });
  all.set(socket, holder);
  socket.once('close', () => forgetClosed(socket));
}

function forgetClosed(socket: Socket): void {
  const place = places.get(socket);
  if (socket.closed && place?.holder.bodyBytes === 0) place.all.delete(socket);
}

/**
 * Note that a body of a connection grows, until `releaseBody`. Says who already has too many bytes in bodies; then the
 * body must not grow.
 */
export function holdBody(socket: Socket, before: number, size: number): Excess | undefined {
  const place = places.get(socket);
  const excess =
    size <= SMALL || place === undefined ? undefined : excessOf(place, 'bodyBytes', size - before);
  if (excess === undefined) releaseBody(socket, before - size);
  return excess;
}

/** Note that so many bytes of a body are no longer in use. */
export function releaseBody(socket: Socket, bytes: number): void {
  const place = places.get(socket);
  if (place !== undefined) place.holder.bodyBytes -= bytes;
  forgetClosed(socket);
}

/** An answer whose bytes are counted while the system can't send them. */
export class CountedAnswer extends ServerResponse<IncomingMessage> {
  /** See `until-answered.ts`, `fair-turns.ts` and `under-way.ts`. A map of these by requests would be costlier. */
  work: unknown;
  waitForTurn: ((work: () => void) => void) | undefined;
  isSetAside = false;

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    super.end(chunk, encoding as BufferEncoding, callback as () => void);
    const unsent = this.writableLength;
    if (unsent > 0) {
      // Node counts the characters of a text.
      const isText = typeof chunk === 'string';
      const more = isText ? Buffer.byteLength(chunk, encoding as BufferEncoding) - chunk.length : 0;
      holdAnswer(this, unsent + more);
    }
    return this;
  }
}

function holdAnswer(answer: ServerResponse, bytes: number): void {
  const { socket } = answer.req;
  const place = places.get(socket);
  if (place === undefined) return;
  const { holder } = place;
  holder.answerBytes += bytes;
  answer.once('close', () => {
    holder.answerBytes -= bytes;
  });
  socket.setTimeout(UNREAD_FOR);
  const excess = excessOf(place, 'answerBytes', 0);
  if (excess !== undefined) largestAnswer(place, excess)?.destroy();
}

// All connections are added up for each larger body or answer, which is cheaper than to keep the sum.
function excessOf({ holder: { caller }, all }: Place, kind: Kind, more: number): Excess | undefined {
  const network = networkAround(caller);
  let [ofAll, ofNetwork, ofCaller] = [more, more, more];
  for (const [socket, holder] of all) {
    const bytes = holder[kind];
    if (bytes === 0 || (kind === 'answerBytes' && socket.destroyed)) continue;
    ofAll += bytes;
    if (holder.caller === caller) ofCaller += bytes;
    if (network !== undefined && networkAround(holder.caller) === network) ofNetwork += bytes;
  }
  if (ofCaller > MOST_OF_CALLER) return 'caller';
  if (ofNetwork > MOST_OF_NETWORK) return 'network';
  return ofAll > MOST ? 'process' : undefined;
}

type Kind = 'bodyBytes' | 'answerBytes';

/**
 * Return the connection with the largest answers, the oldest of several: of the caller or network that has too many
 * bytes, or of the one that has most of all. One answer alone may be larger than the limit of its caller.
 */
function largestAnswer({ holder: { caller }, all }: Place, excess: Excess): Socket | undefined {
  const ownerOf = (other: string) => (excess === 'caller' ? other : wholeNetworkOf(other));
  const byOwner = Map.groupBy(
    [...all].filter(([socket, { answerBytes }]) => answerBytes > 0 && !socket.destroyed),
    ([, holder]) => ownerOf(holder.caller),
  );
  const total = (of: [Socket, Holder][]) => of.reduce((sum, [, { answerBytes }]) => sum + answerBytes, 0);
  const candidates =
    excess === 'process'
      ? [...byOwner.values()].reduce((most, some) => (total(some) > total(most) ? some : most))
      : (byOwner.get(ownerOf(caller)) ?? []);
  if (excess !== 'process' && candidates.length === 1) return undefined;
  const [largest] = candidates.reduce((most, some) =>
    some[1].answerBytes > most[1].answerBytes ? some : most,
  );
  return largest;
}
