// Networks as limits count them.

/**
 * Return the network of /48 around an IPv6 network of /64, written as `2001:db8:1:2::/64`. Providers give whole
 * networks of /48 away, in which a caller has 65,536 of the smaller ones. Undefined for an IPv4 address.
 */
export function networkAround(address: string): string | undefined {
  const [, prefix] = /^((?:[0-9a-f]+:){2}[0-9a-f]+):[0-9a-f]+::\/64$/i.exec(address) ?? [];
  return prefix && `${prefix}::/48`;
}
