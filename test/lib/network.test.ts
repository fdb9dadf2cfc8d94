// Networks that operators block.

import assert from 'node:assert/strict';
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
