// The addresses of names that strangers choose, asked of the name servers directly. The system's lookup can't be
// cancelled, and occupies a thread for as long as a name server is silent. A few such names would stop all other
// lookups of the process, and so its new connections to the database.

import { type LookupAddress, promises } from 'node:dns';
import type { LookupFunction } from 'node:net';

// A question without an answer is asked once more, since its packet can be lost.
const QUESTION = { timeout: 700, tries: 2 };
// One kind of address is enough if the name servers say nothing about the other.
const PATIENCE = 2000;

export interface LookupLimits {
  /** By default, those of the system. */
  nameServers?: readonly string[] | undefined;
  /** In milliseconds. */
  patience?: number;
}

/**
 * Make the function that looks up a name, as IPv4 addresses and then IPv6 addresses, until the signal. It needs no
 * thread, and ignores the system's list of hosts.
 */
export function publicLookup(signal: AbortSignal, limits: LookupLimits = {}): LookupFunction {
  return (host, _, callback) => {
    addressesOf(host, signal, limits).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, ''),
    );
  };
}

async function addressesOf(
  host: string,
  signal: AbortSignal,
  { nameServers, patience = PATIENCE }: LookupLimits,
): Promise<LookupAddress[]> {
  // RFC 6761 §6.3. Name servers are not asked about these.
  if (/(?:^|\.)localhost\.?$/.test(host)) return [{ address: '127.0.0.1', family: 4 }];
  // One resolver for each name, so that cancelling ends no other lookup, and changed settings of the system apply.
  const resolver = new promises.Resolver(QUESTION);
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  const timer = setTimeout(cancel, patience);
  signal.addEventListener('abort', cancel);
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [...found(v4, 4), ...found(v6, 6)];
    if (addresses.length === 0) throw lookupError(v4, v6);
    return addresses;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function found(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

// With the codes of the system's lookup.
function lookupError(...results: PromiseSettledResult<string[]>[]): Error {
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'ENODATA'));
  const code = codes.find((one) => !NO_SUCH_NAME.has(one));
  if (code === undefined) return coded('ENOTFOUND');
  return coded(code === 'ECANCELLED' || code === 'ETIMEOUT' ? 'ETIMEDOUT' : 'EAI_AGAIN');
}

const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME']);

function coded(code: string): Error {
  return Object.assign(new Error('The name was not found.'), { code });
}
