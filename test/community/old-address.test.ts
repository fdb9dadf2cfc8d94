// The form in which old addresses are stored, and that a hostile path is as cheap as any other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedAddress } from '../../src/community/old-address.ts';

test('an old address has no slash at its end, and keeps those inside', () => {
  assert.equal(storedAddress('/Topic/7/'), '/topic/7');
  assert.equal(storedAddress('/topic//7///?a=B/'), '/topic//7?a=b/');
  assert.equal(storedAddress('https://old.example///'), undefined);
});

test('a path with long runs of slashes takes no longer than any other of its length', () => {
  const path = `/a${'/'.repeat(100_000)}x${'/'.repeat(100_000)}`;

  const start = performance.now();
  const address = storedAddress(path);
  const elapsed = performance.now() - start;

  assert.equal(address, undefined);
  // A pattern that begins anew at every slash takes ten seconds.
  assert.ok(elapsed < 1_000, `it took ${elapsed} ms`);
});
