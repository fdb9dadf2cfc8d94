// Which addresses are on the public internet.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPublicAddress } from '../../src/lib/public-address.ts';

describe('an address', () => {
  for (const address of ['1.1.1.1', '100.63.255.255', '172.32.0.1', '192.1.0.1', '223.255.255.255']) {
    test(`${address} is public`, () => assert.ok(isPublicAddress(address)));
  }
  for (const address of ['2606:4700:4700::1111', '2001:200::1', '2a00:1450:4001::68']) {
    test(`${address} is public`, () => assert.ok(isPublicAddress(address)));
  }

  for (const [kind, ...addresses] of [
    ['of this machine', '127.0.0.1', '127.255.255.254', '0.0.0.0', '::1', '::'],
    ['of a private network', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fec0::1'],
    ['of a link', '169.254.169.254', 'fe80::1', 'fe80::1%eth0'],
    ["of a provider's customers", '100.64.0.1', '100.127.255.255'],
    ['of a group', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['that is reserved', '240.0.0.1', '255.255.255.255', '192.0.0.8', '198.18.0.1', '100::1', '5f00::1'],
    ['of documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['with an IPv4 address', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1'],
    ['of a translator', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '2002:7f00:1::', '2001:0::1'],
    ['that is no IP address', 'localhost', 'example.com', '', '1.1.1', '0x7f.1', '[::1]'],
  ] as const) {
    test(`${kind} is not public`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
    });
  }
});
