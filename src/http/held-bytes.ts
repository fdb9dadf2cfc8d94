// The memory that the bodies and the unsent answers of all connections take, and who may take more.

import type { Socket } from 'node:net';
import { networkAround } from '../lib/network.ts';

const MB = 1024 * 1024;
const MOST = 64 * MB;
const MOST_OF_CALLER = 8 * MB;
// One person can have a whole /48 network.
const MOST_OF_NETWORK = 32 * MB;
// Bodies up to this length are always read, so that nobody can keep others from signing in.
const SMALL = 16 * 1024;

/** What a connection holds. */
export interface Holder {
  /** The address of the newest request's caller. */
  caller: string;
  /** The bytes that the bodies of its requests take. */
  bodyBytes: number;
}

export type Refusal = 'caller' | 'process';

const judges = new WeakMap<Socket, (more: number) => Refusal | undefined>();
const holders = new WeakMap<Socket, Holder>();

/** Let `holdBody` add a new connection to all others that are open. */
export function countTogether(socket: Socket, holder: Holder, open: ReadonlyMap<Socket, Holder>): void {
  holders.set(socket, holder);
  judges.set(socket, (more) => refusalOf(holder.caller, more, open));
}

/**
 * Note that a body of a connection grows, until `releaseBody`. Says if its caller or the process already has too many
 * bytes; then the body must not grow.
 */
export function holdBody(socket: Socket, before: number, size: number): Refusal | undefined {
  const refusal = size <= SMALL ? undefined : judges.get(socket)?.(size - before);
  if (refusal === undefined) releaseBody(socket, before - size);
  return refusal;
}

/** Note that so many bytes of a body are no longer in use. */
export function releaseBody(socket: Socket, bytes: number): void {
  const holder = holders.get(socket);
  if (holder !== undefined) holder.bodyBytes -= bytes;
}

// All connections are added up for each larger body, which is cheaper than to keep the sum.
function refusalOf(caller: string, more: number, open: ReadonlyMap<Socket, Holder>): Refusal | undefined {
  const network = networkAround(caller);
  let [ofAll, ofNetwork, ofCaller] = [more, more, more];
  for (const [socket, { caller: other, bodyBytes }] of open) {
    const bytes = bodyBytes + socket.writableLength;
    if (bytes === 0) continue;
    ofAll += bytes;
    if (other === caller) ofCaller += bytes;
    if (network !== undefined && networkAround(other) === network) ofNetwork += bytes;
  }
  if (ofCaller > MOST_OF_CALLER || ofNetwork > MOST_OF_NETWORK) return 'caller';
  return ofAll > MOST ? 'process' : undefined;
}
