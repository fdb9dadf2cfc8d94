// Which network addresses belong to the public internet, by the registries of IANA. Requests to addresses that
// strangers choose go only there, never to this machine or the networks around it.

import { isIPv4, isIPv6 } from 'node:net';
import { isListed, networkList } from './network.ts';

const SPECIAL_IPV4 = networkList([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a provider
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocols
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // measurements
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

// All others are loopback, private, link-local, multicast or reserved, or contain an IPv4 address (mapped, NAT64).
const GLOBAL_IPV6 = networkList(['2000::/3']);
const SPECIAL_IPV6 = networkList([
  '2001::/23', // protocols, among them Teredo, which contains an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '3fff::/20', // documentation
]);

/** Report whether a text is an IP address of the public internet. A name is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !isListed(SPECIAL_IPV4, address);
  return isIPv6(address) && isListed(GLOBAL_IPV6, address) && !isListed(SPECIAL_IPV6, address);
}
