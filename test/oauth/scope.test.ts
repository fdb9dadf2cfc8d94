// Reading lists of scopes, and sets of scopes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  difference,
  formatScope,
  intersection,
  isSubset,
  parseScope,
  SCOPES,
  type ScopeSet,
  scopeSet,
  union,
} from '../../src/oauth/scope.ts';

const LISTS: [name: string, text: string, expected: ScopeSet | undefined][] = [
  ['one scope', 'profile:read', ['profile:read']],
  ['two scopes', 'profile:read posts:read', ['profile:read', 'posts:read']],
  ['in another order', 'posts:read profile:read', ['profile:read', 'posts:read']],
  ['the same twice', 'posts:read posts:read', ['posts:read']],
  ['double space', 'profile:read  posts:read', ['profile:read', 'posts:read']],
  ['spaces around', ' profile:read ', ['profile:read']],
  ['an unknown one beside a known one', 'email profile:read offline_access', ['profile:read']],
  ['unknown ones only', 'email wallet:read', []],
  ['nothing', '', []],
  ['only spaces', '   ', []],
  ['case matters', 'Profile:Read POSTS:READ', []],
  ['a known one as a part of another', 'profile:readx xposts:read posts:', []],
  ['names that every object has', 'constructor __proto__ toString', []],
  ['every character that a scope may have', '!#$%&()*+,-./:;<=>?@[]^_`{|}~ profile:read', ['profile:read']],
  ['quotation mark', 'profile:read "posts:read"', undefined],
  ['backslash', 'profile:read\\posts:read', undefined],
  ['tab', 'profile:read\tposts:read', undefined],
  ['newline', 'profile:read\nposts:read', undefined],
  ['newline at the end', 'profile:read\n', undefined],
  ['no-break space', 'profile:read\u00a0posts:read', undefined],
  ['letter outside ASCII', 'profile:read pr\u00f6fil', undefined],
  ['control character', 'profile:read \x7f', undefined],
  ['NUL', 'profile:read\0', undefined],
];

describe('parseScope: a list separated by spaces (RFC 6749 §3.3)', () => {
  for (const [name, text, expected] of LISTS) {
    test(name, () => {
      assert.deepEqual(parseScope(text), expected);
    });
  }

  test('a list of 64 kB is read without delay', () => {
    const startedAt = performance.now();

    assert.deepEqual(parseScope('a '.repeat(32_768)), []);
    assert.deepEqual(parseScope('a'.repeat(65_536)), []);
    assert.equal(parseScope(`${'a'.repeat(65_536)}"`), undefined);

    assert(performance.now() - startedAt < 1_000);
  });
});

describe('sets of scopes', () => {
  const anySet = fc.subarray([...SCOPES]);

  test('formatScope writes scopes with a single space between them (spec §2.1)', () => {
    assert.equal(formatScope(['profile:read', 'posts:read']), 'profile:read posts:read');
    assert.equal(formatScope(['posts:read']), 'posts:read');
    assert.equal(formatScope([]), '');
  });

  test('scopeSet keeps the known scopes, each once, in one order', () => {
    assert.deepEqual(scopeSet(['posts:read', 'x', 'profile:read', 'posts:read']), [
      'profile:read',
      'posts:read',
    ]);
  });

  test('a written set reads as the same set', () => {
    fc.assert(fc.property(anySet, (set) => assert.deepEqual(parseScope(formatScope(set)), set)));
  });

  test('union, intersection and difference are those of sets', () => {
    assert.deepEqual(union(['posts:read'], ['profile:read']), ['profile:read', 'posts:read']);
    assert.deepEqual(union([], ['profile:read']), ['profile:read']);
    assert.deepEqual(intersection(['profile:read', 'posts:read'], ['posts:read']), ['posts:read']);
    assert.deepEqual(intersection(['profile:read'], ['posts:read']), []);
    assert.deepEqual(difference(['profile:read', 'posts:read'], ['posts:read']), ['profile:read']);
    assert.deepEqual(difference(['posts:read'], ['posts:read']), []);
  });

  test('a difference and an intersection make up the set again', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        assert.deepEqual(union(difference(a, b), intersection(a, b)), a);
        assert.equal(isSubset(intersection(a, b), b), true);
        assert.equal(isSubset(a, union(a, b)), true);
      }),
    );
  });

  test('isSubset: a set is part of itself and of every wider set', () => {
    assert.equal(isSubset([], []), true);
    assert.equal(isSubset([], ['posts:read']), true);
    assert.equal(isSubset(['posts:read'], ['profile:read', 'posts:read']), true);
    assert.equal(isSubset(['profile:read', 'posts:read'], ['posts:read']), false);
    assert.equal(isSubset(['profile:read'], []), false);
  });
});
