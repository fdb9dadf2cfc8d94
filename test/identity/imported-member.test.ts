// Imported members: their usernames, bios and password hashes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fittingBio, importedMember, namesFor } from '../../src/identity/imported-member.ts';
import {
  hashOfNoPassword,
  hashPassword,
  problemWithHash,
  verifyPassword,
} from '../../src/identity/password.ts';
import { problemWithUsername } from '../../src/identity/username.ts';

const first = (name: string, id = '7') => [...namesFor(name, id)].slice(0, 3);

describe('The usernames for a member of another program', () => {
  for (const [foreign, names] of [
    ['alice', ['alice', 'alice_1', 'alice_2']],
    ['jo', ['jo_1', 'jo_2', 'jo_3']],
    ['carol@wheel.example', ['carol_wheel.example', 'carol_wheel.example_1', 'carol_wheel.example_2']],
    ['_dora_', ['dora', 'dora_1', 'dora_2']],
    ['王芳', ['王芳_1', '王芳_2', '王芳_3']],
    ['x'.repeat(40), ['x'.repeat(30), `${'x'.repeat(28)}_1`, `${'x'.repeat(28)}_2`]],
    ['аlice', ['member_7', 'member_7_1']],
    ['👻👻👻', ['member_7', 'member_7_1']],
  ] as const) {
    test(`${foreign} → ${names[0]}`, () => assert.deepEqual(first(foreign), names));
  }

  test('are all valid, whatever the username was there', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (name, id) => {
        const names = [...namesFor(name, String(id))];
        assert.ok(names.length >= 2);
        for (const each of names) assert.equal(problemWithUsername(each), undefined);
      }),
    );
  });
});

test('An imported bio is put on one line, and the end of a long one is cut off.', () => {
  assert.equal(fittingBio('  Bakes.\n\nRides. ', 160), 'Bakes. Rides.');
  assert.equal(fittingBio('烘'.repeat(200), 160), `${'烘'.repeat(159)}…`);
});

describe('An imported hash', () => {
  const salt = 'A'.repeat(22);
  const tag = 'B'.repeat(43);
  const hash = (parameters: string, more = { salt, tag }) =>
    `$argon2id$v=19$${parameters}$${more.salt}$${more.tag}`;

  test('is accepted if it can be verified with a limited amount of work', async () => {
    assert.equal(problemWithHash(await hashPassword('a long walk')), undefined);
    assert.equal(problemWithHash(hash('m=65536,t=3,p=4')), undefined);
    await assert.doesNotReject(verifyPassword('x', hash('m=64,t=1,p=4')));
  });

  for (const unusable of [
    '',
    'plain',
    '$2b$12$abcdefghijklmnopqrstuuAbcdefghijklmnopqrstuvwxyz0123456',
    hash('m=1048576,t=3,p=1'),
    hash('m=65536,t=99,p=1'),
    hash('m=65536,t=3,p=99'),
    hash('m=7,t=1,p=1'),
    hash('m=65536,t=0,p=1'),
    hash('m=65536,t=3,p=1', { salt, tag: 'B'.repeat(22) }),
    hash('m=65536,t=3,p=1', { salt: 'A', tag }),
    hash('m=65536,t=3,p=1', { salt, tag: '*'.repeat(43) }),
  ]) {
    test(`is refused: ${unusable || 'nothing'}`, () => assert.notEqual(problemWithHash(unusable), undefined));
  }

  for (const costly of ['m=65537,t=3,p=1', 'm=262144,t=1,p=1', 'm=65536,t=11,p=1', 'm=65536,t=3,p=9']) {
    test(`is refused with the reason that it takes too much work: ${costly}`, () =>
      assert.equal(problemWithHash(hash(costly)), 'more_than_64_mib_10_passes_or_8_lanes'));
  }

  test('for a member without a password matches no password, and is different each time', async () => {
    assert.notEqual(hashOfNoPassword(), hashOfNoPassword());
    assert.equal(problemWithHash(hashOfNoPassword()), undefined);
    assert.equal(await verifyPassword('', hashOfNoPassword()), false);
  });
});

describe('An imported member', () => {
  test('has the same name, address, bio and password, and is no operator', async () => {
    const passwordHash = hashOfNoPassword();

    const imported = await importedMember({
      username: ' Alice ',
      email: ' Alice@Home.Example ',
      bio: ' Bakes. ',
      createdAt: 5,
      passwordHash,
    });

    assert.deepEqual(imported, {
      user: {
        username: 'Alice',
        usernameKey: 'alice',
        email: 'Alice@Home.Example',
        emailKey: 'alice@home.example',
        passwordHash,
        bio: 'Bakes.',
        isOperator: false,
        createdAt: 5,
      },
    });
  });

  test('may have neither an address nor a bio nor a password', async () => {
    const imported = await importedMember({ username: 'alice', createdAt: 5 });

    assert.ok('user' in imported);
    const { email, emailKey, bio, passwordHash } = imported.user;
    assert.deepEqual([email, emailKey, bio], [undefined, undefined, '']);
    assert.equal(await verifyPassword('', passwordHash), false);
  });

  test('is refused with everything that is wrong', async () => {
    const imported = await importedMember({
      username: 'al',
      email: 'home.example',
      bio: 'x'.repeat(161),
      createdAt: 5,
      password: 'short',
      passwordHash: 'plain',
    });

    assert.deepEqual(imported, {
      problems: {
        username: 'too_short',
        password: 'too_short',
        passwordHash: 'not_argon2id',
        email: 'invalid',
        bio: 'too_long',
      },
    });
  });

  test('with one problem is refused', async () => {
    const imported = await importedMember({ username: 'al', createdAt: 5 });

    assert.deepEqual(imported, { problems: { username: 'too_short' } });
  });
});

test('The last usernames for a member of another program are the name with 99 and the member’s id there', () => {
  assert.deepEqual([...namesFor('alice', '7')].slice(-3), ['alice_99', 'member_7', 'member_7_1']);
});
