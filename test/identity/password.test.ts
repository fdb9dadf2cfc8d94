// Passwords: which are accepted, and that they are compared exactly as typed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  hashPassword,
  type PasswordProblem,
  problemWithPassword,
  verifyPassword,
} from '../../src/identity/password.ts';

const passwords: [title: string, password: string, problem: PasswordProblem | undefined][] = [
  ['8 characters', '12345678', undefined],
  ['7 characters', '1234567', 'too_short'],
  ['8 characters of two UTF-16 units each', '🙂'.repeat(8), undefined],
  ['7 characters of two UTF-16 units each', '🙂'.repeat(7), 'too_short'],
  ['1024 bytes', 'x'.repeat(1024), undefined],
  ['1025 bytes', 'x'.repeat(1025), 'too_long'],
  ['342 characters of three bytes', '書'.repeat(342), 'too_long'],
  ['spaces alone', '        ', undefined],
  ['the username', 'AliceLiddell', 'is_username'],
  ['the username and more', 'aliceliddell1', undefined],
];

describe('a new password', () => {
  for (const [title, password, problem] of passwords) {
    test(`${problem === undefined ? 'may be' : 'may not be'} ${title}`, () => {
      assert.equal(problemWithPassword(password, 'aliceliddell'), problem);
    });
  }
});

describe('a password', () => {
  test('is stored as argon2id with the parameters of OWASP and a salt of its own', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];

    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(one, other);
  });

  test('is right only exactly as it was typed', async () => {
    const hash = await hashPassword('Correct horse ');

    assert.equal(await verifyPassword('Correct horse ', hash), true);
    for (const wrong of ['Correct horse', ' Correct horse ', 'correct horse ', 'Correct horse  ', '']) {
      assert.equal(await verifyPassword(wrong, hash), false, JSON.stringify(wrong));
    }
  });

  test('counts to its last byte, beyond the 72nd', async () => {
    const long = 'x'.repeat(72);
    const hash = await hashPassword(`${long}a`);

    assert.equal(await verifyPassword(`${long}a`, hash), true);
    assert.equal(await verifyPassword(`${long}b`, hash), false);
    assert.equal(await verifyPassword(long, hash), false);
  });

  test('counts beyond a zero byte, and is not normalized', async () => {
    const hash = await hashPassword('pass\0word-e\u0301');

    assert.equal(await verifyPassword('pass\0word-e\u0301', hash), true);
    assert.equal(await verifyPassword('pass\0wort-e\u0301', hash), false);
    assert.equal(await verifyPassword('pass\0word-\u00e9', hash), false);
  });

  test('of an account that does not exist is never right', async () => {
    assert.equal(await verifyPassword('correct horse', undefined), false);
  });

  test('that is too long is wrong, and is not hashed', async () => {
    assert.equal(await verifyPassword('x'.repeat(1025), 'no hash at all'), false);
  });

  test('with an imported hash is checked with the parameters of the hash', async () => {
    // argon2id of "password" with m=8, t=1, p=1 and the salt "somesalt".
    const hash = await hashOf('password');

    assert.equal(await verifyPassword('password', hash), true);
    assert.equal(await verifyPassword('passwort', hash), false);
  });
});

async function hashOf(password: string): Promise<string> {
  const { argon2Sync } = await import('node:crypto');
  const options = {
    message: password,
    nonce: 'somesalt',
    memory: 8,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  };
  const tag = argon2Sync('argon2id', options).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$${tag}`;
}
