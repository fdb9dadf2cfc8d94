// The cookie of a browser that signed members in before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserOf, knowMember } from '../../src/identity/known-browser.ts';

const secret = 'secret of the seals';

test('the browser keeps its name over all sign-ins, and is known to each member', () => {
  const first = knowMember({ cookie: undefined, secret }, 7);
  const cookie = knowMember({ cookie: first, secret }, 8);

  const name = browserOf({ cookie, secret }, 7);
  assert.ok(name !== undefined && first.startsWith(`${name}.`));
  assert.equal(browserOf({ cookie, secret }, 8), name);
  assert.equal(browserOf({ cookie, secret }, 9), undefined);
});

test('the browser remembers the last five members', () => {
  let cookie: string | undefined;
  for (const userId of [1, 2, 3, 4, 5, 6, 6]) cookie = knowMember({ cookie, secret }, userId);

  const known = [1, 2, 3, 4, 5, 6].map((userId) => browserOf({ cookie, secret }, userId) !== undefined);
  assert.deepEqual(known, [false, true, true, true, true, true]);
});

test('two browsers have different names', () => {
  const cookies = [1, 2].map(() => knowMember({ cookie: undefined, secret }, 7));
  assert.notEqual(browserOf({ cookie: cookies[0], secret }, 7), browserOf({ cookie: cookies[1], secret }, 7));
});
