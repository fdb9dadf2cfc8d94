// Networks: how settings name them, and how limits count them.

import { BlockList, isIP } from 'node:net';
import { memoizeByRecord } from './remember.ts';

/**
 * Return the /48 network that contains an IPv6 /64 network, written as `2001:db8:1:2::/64`. Providers assign whole
 * /48 networks to a caller, each with 65,536 /64 networks. Undefined for an IPv4 address.
 */
export function networkAround(address: string): string | undefined {
  const [, prefix] = /^((?:[0-9a-f]+:){2}[0-9a-f]+):[0-9a-f]+::\/64$/i.exec(address) ?? [];
  return prefix && `${prefix}::/48`;
}

/** Return the network that one person may have as a whole: the /48 around an IPv6 caller, or the caller alone. */
export function wholeNetworkOf(caller: string): string {
  return networkAround(caller) ?? caller;
}

/** Return the network to show for a caller: the /24 of an IPv4 address, the /48 of an IPv6 network. */
export function networkToShow(caller: string): string | undefined {
  const [, prefix] = /^((?:\d+\.){3})\d+$/.exec(caller) ?? [];
  return prefix === undefined ? networkAround(caller) : `${prefix}0/24`;
}

/** Report whether a text is an address or a range such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

/** Make a list of addresses and ranges such as 10.0.0.0/8. `isNetwork` must accept each. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string | undefined];
    const family = familyOf(address);
    list.addSubnet(address, bits === undefined ? MOST_BITS[family] : Number(bits), family);
  }
  return list;
}

/** Report whether the list has an address. */
export function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

/**
 * Report whether one of the networks has a caller. An IPv6 caller is known by a /64 network only, so a smaller
 * network counts as the /64 network around it.
 */
export function comesFrom(networks: readonly string[], caller: string): boolean {
  const [address = ''] = caller.split('/');
  const list = lists(networks, () => listsOf(networks))[familyOf(address)];
  return isListed(list, address);
}

// A list of operators can have a thousand networks, which take 6 ms.
const lists = memoizeByRecord<readonly string[], Record<'ipv4' | 'ipv6', BlockList>>();

// Node's list finds every IPv4 address in ::/64, which the network around ::1 is.
function listsOf(networks: readonly string[]): Record<'ipv4' | 'ipv6', BlockList> {
  const plain = networks.map(unmapped);
  return {
    ipv4: networkList(plain.filter((network) => !network.includes(':'))),
    ipv6: networkList(plain.filter((network) => network.includes(':')).map(widened)),
  };
}

// An IPv4 address in an IPv6 one means the IPv4 address.
function unmapped(network: string): string {
  return network.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

const MOST_BITS = { ipv4: 32, ipv6: 128 };
const CALLER_BITS = 64;

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function widened(network: string): string {
  const [address = '', bits = MOST_BITS.ipv6] = network.split('/');
  return isIP(address) === 6 && Number(bits) > CALLER_BITS ? `${address}/${CALLER_BITS}` : network;
}
