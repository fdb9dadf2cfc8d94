// What the server sees of a request, for `doctor`: only a command on the same database can ask.

import type { HttpBindings } from '@hono/node-server';
import type { Handler } from 'hono';
import { digestOf, sameDigest } from '../lib/secrets.ts';
import { VERSION } from '../lib/version.ts';
import { type ClientAddress, peers } from './client-address.ts';

/** The answer to a probe. */
export interface Probe {
  version: string;
  /** The other end of the connection: the proxy, or the caller. */
  peer: string;
  isTrustedProxy: boolean;
  /** The address that the limits count for. */
  caller: string;
  hasForwardedFor: boolean;
  /** How many bytes of the body arrived. */
  bytes: number;
}

/** What the probe needs of the app. */
export interface ProbedParts {
  trustedProxies: readonly string[];
  clientAddress: ClientAddress;
  /** Returns the secret that `doctor` computes from the same database. */
  probeSecret(): Promise<string>;
}

const MOST_BYTES = 6 * 1024 * 1024;

/** Answer a POST that has the secret of the database. To others the address doesn't exist. */
export function probe(parts: ProbedParts): Handler {
  const peerOf = peers(parts.trustedProxies);
  return async (c) => {
    const token = c.req.header('authorization')?.replace(/^Bearer /, '') ?? '';
    if (!sameDigest(digestOf(token), digestOf(await parts.probeSecret()))) return c.body(null, 404);
    const { incoming } = c.env as HttpBindings;
    let bytes = 0;
    for await (const chunk of c.req.raw.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) break;
    }
    const { address: peer, isProxy: isTrustedProxy } = peerOf(incoming.socket);
    const hasForwardedFor = c.req.header('x-forwarded-for') !== undefined;
    const answer: Probe = {
      version: VERSION,
      peer,
      isTrustedProxy,
      caller: parts.clientAddress(c),
      hasForwardedFor,
      bytes,
    };
    return c.json(answer);
  };
}
