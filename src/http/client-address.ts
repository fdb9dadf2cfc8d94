// The address that a request comes from, trusting only the proxies that the operator named.

import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { isListed, networkList } from '../lib/network.ts';

/**
 * Returns the caller's address: the last one in X-Forwarded-For that is not a trusted proxy. For IPv6 it
 * returns the /64 network: a caller can use every address in it, so limits count by network.
 */
export type ClientAddress = (c: Pick<Context, 'env'>) => string;

/** Make the function that finds the caller's address. Each proxy is an address or a CIDR range. */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = networkList(trustedProxies);
  return (c) => {
    const { incoming } = c.env as HttpBindings;
    let address = plain(incoming.socket.remoteAddress ?? '');
    const forwarded = forwardedFor(incoming)?.split(',') ?? [];
    while (isListed(trusted, address)) {
      const hop = hopIn(forwarded.pop());
      // If an entry is malformed, the last known proxy counts as the caller: no caller may invent addresses.
      if (hop === undefined) break;
      address = hop;
    }
    return isIP(address) === 6 ? networkOf(address) : address;
  };
}

/** The other end of a connection. */
export interface Peer {
  /** For IPv6, the /64 network. */
  address: string;
  /** Whether it sends the requests of many callers. */
  isProxy: boolean;
}

/** Make the function that identifies the other end of a connection. */
export function peers(trustedProxies: readonly string[]): (socket: Socket) => Peer {
  const trusted = networkList(trustedProxies);
  return ({ remoteAddress = '' }) => {
    const address = plain(remoteAddress);
    const isProxy = isListed(trusted, address);
    return { address: isIP(address) === 6 ? networkOf(address) : address, isProxy };
  };
}

// The server joins repeated headers into one (`joinDuplicateHeaders`).
function forwardedFor({ headers }: IncomingMessage): string | undefined {
  return headers['x-forwarded-for'] as string | undefined;
}

// Some proxies add the port: 192.0.2.1:5678, [2001:db8::1]:443.
function hopIn(text = ''): string | undefined {
  const [, v4, v6] = /^(?:([\d.]+)(?::\d+)?|\[([^\]]+)\](?::\d+)?)$/.exec(text.trim()) ?? [];
  const address = plain(v4 ?? v6 ?? text.trim());
  return isIP(address) === 0 ? undefined : address;
}

// An IPv4 caller on a dual-stack socket looks like ::ffff:192.0.2.1.
function plain(address: string): string {
  return address.replace(/^::ffff:/i, '');
}

// The first 64 bits in canonical form: providers assign no smaller network (RFC 4291 §2.5.4).
function networkOf(address: string): string {
  const spelling = URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? address;
  const [left = [], right = []] = spelling.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
