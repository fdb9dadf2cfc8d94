// Networks: how settings name them, and how limits count them.

import { isIP } from 'node:net';

/**
 * Return the /48 network that contains an IPv6 /64 network, written as `2001:db8:1:2::/64`. Providers assign whole
 * /48 networks to a caller, each with 65,536 /64 networks. Undefined for an IPv4 address.
 */
export function networkAround(address: string): string | undefined {
  const [, prefix] = /^((?:[0-9a-f]+:){2}[0-9a-f]+):[0-9a-f]+::\/64$/i.exec(address) ?? [];
  return prefix && `${prefix}::/48`;
}

/** Report whether a text is an address or a range such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}
