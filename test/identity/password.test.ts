// Passwords: which are accepted, and that they are compared exactly as typed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashPassword, verifyPassword } from '../../src/identity/password.ts';
import { weaknessOf } from '../../src/identity/password-advice.ts';
import {
  commonPasswords,
  namesInHost,
  type PasswordProblem,
  type PasswordRules,
  problemWithPassword,
} from '../../src/identity/password-rules.ts';

const rules: PasswordRules = { siteNames: () => ['Agora Club', 'svc', ...namesInHost('www.forum.example')] };
const owner = { username: 'aliceliddell', email: 'a.pleasance86@home.example' };

const judged: [title: string, password: string, problem: PasswordProblem | undefined][] = [
  ['8 characters', 'kq7 wz-p', undefined],
  ['7 characters', '1234567', 'too_short'],
  ['8 characters of two UTF-16 units each', '🙂'.repeat(8), undefined],
  ['7 characters of two UTF-16 units each', '🙂'.repeat(7), 'too_short'],
  ['1024 bytes', 'x'.repeat(1024), undefined],
  ['1025 bytes', 'x'.repeat(1025), 'too_long'],
  ['342 characters of three bytes', '書'.repeat(342), 'too_long'],
  ['spaces alone', '        ', undefined],
  ['the username', 'AliceLiddell', 'context'],
  ['the username with digits', 'aliceliddell2026', 'context'],
  ['the username with symbols around', '!!aliceLiddell!!', 'context'],
  ['the username twice', 'aliceliddell-aliceliddell', 'context'],
  ['the username among other words', 'aliceliddell went down', undefined],
  ['a part of the email address', 'Pleasance86', 'context'],
  ['the site’s name', 'agora club', 'context'],
  ['a word of the site’s name with digits', 'agora2026', 'context'],
  ['the site’s host', 'forum!2026', 'context'],
  ['the top level of the host', 'example88 of all', undefined],
  ['the brand', 'svc-svc-2026', 'context'],
  ['the brand and the username', 'svc_AliceLiddell', 'context'],
  ['the site’s name among other words', 'the agora at noon', undefined],
  ['a common one', 'password', 'common'],
  ['a common one in capitals', 'PassWord123', 'common'],
  ['common digits', '12345678', 'common'],
  ['a common one among other words', 'password of the old mill', undefined],
];

describe('a new password', () => {
  for (const [title, password, problem] of judged) {
    test(`${problem === undefined ? 'may be' : 'may not be'} ${title}`, async () => {
      assert.equal(await problemWithPassword(rules, password, owner), problem);
    });
  }

  test('is judged in bounded time, however long the name that came with it', async () => {
    const start = performance.now();
    const username = 'ab '.repeat(300_000);

    assert.equal(await problemWithPassword(rules, 'a long walk in the rain', { username }), undefined);
    assert.ok(performance.now() - start < 1000);
  });

  test('is compared with more than 10,000 common ones of 8 characters and more', async () => {
    const common = await commonPasswords();

    assert.ok(common.size > 10_000, String(common.size));
    assert.ok(
      [...common].every((password) => [...password].length >= 8 && password === password.toLowerCase()),
    );
  });

  test('may not be one that a breach made public, and a service is asked only after the other rules', async () => {
    const asked: string[] = [];
    const isBreached = async (password: string) => asked.push(password) > 0;

    const breached = await problemWithPassword({ ...rules, isBreached }, 'a long walk in the rain', owner);
    const common = await problemWithPassword({ ...rules, isBreached }, 'password', owner);

    assert.deepEqual([breached, common], ['breached', 'common']);
    assert.deepEqual(asked, ['a long walk in the rain']);
  });

  for (const [password, weakness] of [
    ['zxcvbnm,./', 'keyboard'],
    ['zxcdsaqwe', 'keyboard'],
    ['qwertyuiop19', 'similar'],
    ['password', 'similar'],
    ['1qaz2wsx', 'similar'],
    ['zaq12wsx', 'similar'],
    ['1998kvhs', 'date'],
    ['13.10.1987', 'date'],
    ['aaaaaaaaaa', 'repeated'],
    ['rfvtgbyhnedc', 'guessable'],
    ['xzxzxzxzxz', 'repeated'],
    ['abcdefgh19', 'sequence'],
    ['aliceliddellx', 'names'],
    ['a long walk in the rain', undefined],
    ['1'.repeat(25), undefined],
  ] as const) {
    test(`has ${weakness === undefined ? 'no weakness' : `the weakness ${weakness}`}: ${password}`, async () => {
      assert.equal(await weaknessOf(rules, password, owner), weakness);
    });
  }

  test('is checked for weaknesses in bounded time, whatever it is', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const password = Array.from(
        { length: 24 },
        (_, at) => '@4a6{([<3!1|0$57+'[(seed * (at + 3) ** 2) % 17],
      );
      const start = performance.now();
      await weaknessOf(rules, password.join(''), owner);
      assert.ok(performance.now() - start < 2000);
    }
  });
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

  test('is compared to its last byte, beyond the 72nd too', async () => {
    const long = 'x'.repeat(72);
    const hash = await hashPassword(`${long}a`);

    assert.equal(await verifyPassword(`${long}a`, hash), true);
    assert.equal(await verifyPassword(`${long}b`, hash), false);
    assert.equal(await verifyPassword(long, hash), false);
  });

  test('is compared beyond a zero byte too, and is not normalized', async () => {
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

test('The names in a host are its labels, except www and the last of several', () => {
  assert.deepEqual(namesInHost('www.forum.example'), ['forum']);
  assert.deepEqual(namesInHost('localhost'), ['localhost']);
});

test('A password of 1024 bytes is verified, and a longer one is not', async () => {
  const [longest, longer] = ['x'.repeat(1024), 'x'.repeat(1025)];

  assert.equal(await verifyPassword(longest, await hashPassword(longest)), true);
  assert.equal(await verifyPassword(longer, await hashPassword(longer)), false);
});
