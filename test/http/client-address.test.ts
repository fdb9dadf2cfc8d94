// The address of a caller behind proxies.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientAddress } from '../../src/http/client-address.ts';

function addressOf(forwarded: string | undefined, peer = '10.0.0.1'): string {
  const incoming = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } };
  return clientAddress(['10.0.0.0/8', 'fd00::/8'])({ env: { incoming } });
}

describe('the caller’s address', () => {
  const cases: [title: string, forwarded: string | undefined, address: string][] = [
    ['is the last one that is no proxy', '203.0.113.9, 192.0.2.1, 10.0.0.7', '192.0.2.1'],
    ['has no port', '192.0.2.1:5678', '192.0.2.1'],
    ['has no port and no brackets', '[2001:db8:1:2:3::1]:443', '2001:db8:1:2::/64'],
    ['has no brackets', '[2001:db8:1:2:3::1]', '2001:db8:1:2::/64'],
    ['of a proxy with a port is skipped', '192.0.2.1, 10.0.0.7:99', '192.0.2.1'],
    ['is IPv4 although it is written as IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
    ['is the nearest proxy if the list is empty', undefined, '10.0.0.1'],
    ['is the nearest known proxy if the list is broken', '192.0.2.1, unknown, 10.0.0.7', '10.0.0.7'],
    ['is not a text of the caller’s choice', '_hidden', '10.0.0.1'],
    ['is not an address that does not exist', '999.1.2.3', '10.0.0.1'],
  ];
  for (const [title, forwarded, address] of cases) {
    test(title, () => assert.equal(addressOf(forwarded), address));
  }

  test('is the peer if the peer is no proxy', () => {
    assert.equal(addressOf('192.0.2.1', '198.51.100.7'), '198.51.100.7');
  });
});
