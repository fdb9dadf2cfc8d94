// Accounts: usernames are unique, there is one first operator, a closed account stays closed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usernameKey } from '../../../src/identity/username.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { asMember, asOperator, COMMAND_LINE, SERVER } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { NOON, newSession, newUser, SESSION_START } from '../records.ts';

export const people = {
  title: 'accounts',
  registerTests(open: Open): void {
    test('a new account is found by its id and by its username', async (t) => {
      const { identity } = await openFixture(open, t);

      const id = await identity.addUser(
        SERVER,
        newUser('Ève', {
          usernameKey: 'ève',
          email: 'Eve@x.example',
          emailKey: 'eve@x.example',
          bio: 'Reads.',
        }),
      );

      const expected = {
        id,
        username: 'Ève',
        email: 'Eve@x.example',
        bio: 'Reads.',
        avatar: undefined,
        status: 'active',
        isOperator: false,
        isModerator: false,
        hasFactor: false,
        memberUntil: undefined,
        xp: 0,
        keepsDiary: true,
        diarySince: undefined,
        createdAt: NOON,
      };
      assert.ok(typeof id === 'number');
      assert.deepEqual(await identity.findUser(id), expected);
      assert.deepEqual(await identity.findUserByName('ève'), expected);
      assert.equal(await identity.findPasswordHash(id), "hash of Ève's password");
    });

    test('an unknown id or username finds no account', async (t) => {
      const { identity } = await openFixture(open, t);

      assert.equal(await identity.findUser(999), undefined);
      assert.equal(await identity.findUserByName('nobody'), undefined);
      assert.equal(await identity.findPasswordHash(999), undefined);
    });

    test('a text that contains NUL finds nothing', async (t) => {
      const { identity, oauth } = await openFixture(open, t);

      assert.equal(await identity.findUserByName('al\0ice'), undefined);
      assert.equal(await identity.findSession('\0'), undefined);
      assert.equal(await oauth.findClient('\0'), undefined);
    });

    test('a second account with the same username or address is refused, and the answer says which is taken', async (t) => {
      const { identity } = await openFixture(open, t);
      await identity.addUser(SERVER, newUser('eve', { email: 'eve@x.example', emailKey: 'eve@x.example' }));

      const sameName = await identity.addUser(SERVER, newUser('EVE', { usernameKey: 'eve' }));
      const sameEmail = await identity.addUser(
        SERVER,
        newUser('mallory', { email: 'EVE@x.example', emailKey: 'eve@x.example' }),
      );
      const both = await identity.addUser(SERVER, newUser('eve', { emailKey: 'eve@x.example' }));

      assert.deepEqual([sameName, sameEmail, both], ['username_taken', 'email_taken', 'username_taken']);
      assert.equal(await identity.findUserByName('mallory'), undefined);
    });

    test('of 64 sign-ups at once for variants of one username exactly one creates an account', async (t) => {
      const { identity } = await openFixture(open, t);
      const variants = ['Mallory', 'mallory', 'MALLORY', 'ｍａｌｌｏｒｙ'];

      const answers = await atOnce(64, (index) => {
        const username = variants[index % variants.length] ?? '';
        return identity.addUser(SERVER, newUser(username, { usernameKey: usernameKey(username) }));
      });

      assert.equal(answers.filter((answer) => typeof answer === 'number').length, 1);
      assert.equal(answers.filter((answer) => answer === 'username_taken').length, 63);
    });

    test('a first operator is created only if there is no operator', async (t) => {
      const { identity } = await openFixture(open, t);
      assert.equal(await identity.hasOperator(), false);

      const first = await identity.addFirstOperator(COMMAND_LINE, newUser('olivia'));
      const second = await identity.addFirstOperator(COMMAND_LINE, newUser('mallory'));

      assert.ok(typeof first === 'number');
      assert.equal((await identity.findUser(first))?.isOperator, true);
      assert.equal(second, undefined);
      assert.equal(await identity.findUserByName('mallory'), undefined);
      assert.equal(await identity.hasOperator(), true);
    });

    test('no first operator is created after another operator', async (t) => {
      const { identity } = await openFixture(open, t);
      await identity.addUser(SERVER, newUser('olivia', { isOperator: true }));

      const answer = await identity.addFirstOperator(COMMAND_LINE, newUser('mallory'));

      assert.equal(answer, undefined);
    });

    test('a first operator whose username or address is taken is refused, and there is still none', async (t) => {
      const { identity } = await openFixture(open, t);
      await identity.addUser(SERVER, newUser('eve', { emailKey: 'eve@x.example' }));

      const sameName = await identity.addFirstOperator(COMMAND_LINE, newUser('alice'));
      const sameEmail = await identity.addFirstOperator(
        COMMAND_LINE,
        newUser('olivia', { emailKey: 'eve@x.example' }),
      );

      assert.deepEqual([sameName, sameEmail], ['username_taken', 'email_taken']);
      assert.equal(await identity.hasOperator(), false);
    });

    test('of 32 first operators at once exactly one is created', async (t) => {
      const { identity } = await openFixture(open, t);

      const answers = await atOnce(32, (index) =>
        identity.addFirstOperator(COMMAND_LINE, newUser(`operator${index}`)),
      );

      assert.equal(answers.filter((answer) => typeof answer === 'number').length, 1);
      assert.equal(answers.filter((answer) => answer === undefined).length, 31);
    });

    test('the audit log has each account that an operator or the command line creates', async (t) => {
      const { identity, audit } = await openFixture(open, t);
      await identity.addFirstOperator(COMMAND_LINE, newUser('alice', { passwordHash: 'another' }));
      const olivia = await identity.addFirstOperator(COMMAND_LINE, newUser('olivia'));
      assert.ok(typeof olivia === 'number');
      const by = asOperator(olivia, NOON + DAY);
      const eve = await identity.addUser(by, newUser('eve'));
      const otto = await identity.addUser(COMMAND_LINE, newUser('otto', { isOperator: true }));

      // The first three create no account; a visitor and the server cause the others.
      await identity.addUser(by, newUser('eve', { passwordHash: 'another' }));
      await identity.addUser(COMMAND_LINE, newUser('alice', { passwordHash: 'another' }));
      await identity.addFirstOperator(COMMAND_LINE, newUser('mallory'));
      await identity.register(newUser('guest'), { invitation: undefined, mail: undefined });
      await identity.addUser(SERVER, newUser('robot'));

      const events = await audit.auditEvents({ limit: 10 });
      assert.deepEqual(
        events.map(({ action, subject, actorName, at, detail }) => [action, subject, actorName, at, detail]),
        [
          [
            'user.create',
            { kind: 'user', id: String(otto) },
            undefined,
            NOON,
            { username: 'otto', operator: true },
          ],
          ['user.create', { kind: 'user', id: String(eve) }, 'olivia', NOON + DAY, { username: 'eve' }],
          [
            'user.create',
            { kind: 'user', id: String(olivia) },
            undefined,
            NOON,
            { username: 'olivia', operator: true },
          ],
        ],
      );
    });

    test('bio and membership have the values that were set last', async (t) => {
      const { identity, alice } = await openFixture(open, t);

      await identity.setBio(asMember(alice), 'Reads — 讀書 — 🕮');
      await identity.setMemberUntil(SERVER, alice, NOON + 30 * DAY);
      const during = await identity.findUser(alice);
      await identity.setMemberUntil(SERVER, alice, undefined);
      const after = await identity.findUser(alice);

      assert.equal(during?.bio, 'Reads — 讀書 — 🕮');
      assert.equal(during?.memberUntil, NOON + 30 * DAY);
      assert.equal(after?.memberUntil, undefined);
    });

    test('suspending an account ends its sessions and no others, and can be undone', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);
      const [first, second, foreign] = [newSession(alice), newSession(alice), newSession(bob)];
      for (const session of [first, second, foreign]) await identity.addSession(session, SESSION_START);

      const suspended = await identity.setStatus(SERVER, alice, 'suspended');
      const stored = await Promise.all([first, second, foreign].map(({ key }) => identity.findSession(key)));
      const reactivated = await identity.setStatus(SERVER, alice, 'active');

      assert.deepEqual([suspended, reactivated], [true, true]);
      assert.deepEqual(
        stored.map((session) => session?.user.username),
        [undefined, undefined, 'bob'],
      );
      assert.equal((await identity.findUser(alice))?.status, 'active');
      assert.equal(await identity.findSession(first.key), undefined);
    });

    test('a closed account stays closed', async (t) => {
      const { identity, alice } = await openFixture(open, t);
      await identity.closeAccount(SERVER, alice);

      const answers = [
        await identity.setStatus(SERVER, alice, 'active'),
        await identity.setStatus(SERVER, alice, 'suspended'),
        await identity.closeAccount(SERVER, alice),
      ];

      assert.deepEqual(answers, [false, false, false]);
      assert.equal((await identity.findUser(alice))?.status, 'closed');
    });

    test('the status of an unknown account can’t be set', async (t) => {
      const { identity } = await openFixture(open, t);

      assert.equal(await identity.setStatus(SERVER, 999, 'suspended'), false);
    });
  },
};
