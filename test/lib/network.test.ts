// Networks that operators block.

import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { comesFrom } from '../../src/lib/network.ts';

test('an IPv6 network has no IPv4 caller, and a mapped IPv4 address only that caller', () => {
  assert.equal(comesFrom(['::1'], '9.9.9.9'), false);
  assert.equal(comesFrom(['::ffff:203.0.113.9'], '9.9.9.9'), false);
  assert.equal(comesFrom(['::ffff:203.0.113.9'], '203.0.113.9'), true);
  assert.equal(comesFrom(['::ffff:203.0.113.9'], '2001:db8::/64'), false);
});

test('an IPv6 address blocks the /64 network around it, and an IPv4 range its addresses', () => {
  assert.equal(comesFrom(['2001:db8:1:2::7'], '2001:db8:1:2::/64'), true);
  assert.equal(comesFrom(['2001:db8:1:2::7'], '2001:db8:1:3::/64'), false);
  assert.equal(comesFrom(['203.0.113.0/24', '2001:db8::/32'], '203.0.113.200'), true);
});

test('A list of networks is prepared once, however many callers are looked for', (t) => {
  const added = t.mock.method(BlockList.prototype, 'addSubnet');
  const networks = Array.from({ length: 1000 }, (_, index) => `10.${index >> 8}.${index & 255}.0/24`);

  const listed = ['10.3.0.1', '10.4.0.1', '192.0.2.1'].map((caller) => comesFrom(networks, caller));

  assert.deepEqual(listed, [true, false, false]);
  assert.equal(added.mock.callCount(), 1000);
});
