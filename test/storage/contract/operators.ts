// Roles: a member gets one and loses it, the last operator stays, and what moderators may do to accounts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asModerator, COMMAND_LINE, SERVER } from '../doers.ts';
import { addOperator, atOnce, auditActs, type Open, openFixture } from '../fixture.ts';
import { NOON } from '../records.ts';

export const operators = {
  title: 'operators',
  registerTests(open: Open): void {
    test('a member is made an operator, and made a member again', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addOperator(fixture, 'olivia');
      await identity.setStatus(SERVER, bob, 'suspended');

      const made = await identity.setRole(COMMAND_LINE, alice, 'operator');
      const during = (await identity.findUser(alice))?.isOperator;
      const unmade = await identity.setRole(COMMAND_LINE, alice, 'member');

      assert.deepEqual([made, during, unmade], [true, true, true]);
      assert.equal((await identity.findUser(alice))?.isOperator, false);
      assert.equal(await identity.setRole(COMMAND_LINE, bob, 'operator'), false);
      assert.deepEqual(await auditActs(fixture), [
        `undefined user.set_role user:${alice}`,
        `undefined user.set_role user:${alice}`,
      ]);
    });

    test('the last active operator can’t be suspended, closed or made a member', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      const otto = await addOperator(fixture, 'otto');
      assert.equal(await identity.setStatus(SERVER, otto, 'suspended'), true);

      const answers = [
        await identity.setStatus(SERVER, olivia, 'suspended'),
        await identity.closeAccount(SERVER, olivia),
        await identity.setRole(SERVER, olivia, 'member'),
      ];

      assert.deepEqual(answers, [false, false, false]);
      assert.equal(await identity.hasOtherOperator(olivia), false);
      assert.deepEqual(
        [(await identity.findUser(olivia))?.status, (await identity.findUser(olivia))?.isOperator],
        ['active', true],
      );
      // A suspended operator can be closed.
      assert.equal(await identity.closeAccount(SERVER, otto), true);
    });

    test('a moderator suspends and reactivates members, but no operator and no moderator', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      const olivia = await addOperator(fixture, 'olivia');
      const mona = await addOperator(fixture, 'mona');
      for (const id of [mona, bob]) await identity.setRole(SERVER, id, 'moderator');
      const by = asModerator(mona);

      const answers = [
        await identity.setStatus(by, olivia, 'suspended'),
        await identity.setStatus(by, bob, 'suspended'),
        await identity.setStatus(by, alice, 'suspended', 'Spam.'),
      ];
      const reason = await identity.suspensionReason(alice);
      await identity.setStatus(SERVER, bob, 'suspended');

      assert.deepEqual(answers, [false, false, true]);
      assert.equal(reason, 'Spam.');
      assert.equal(await identity.setStatus(by, bob, 'active'), false);
      assert.equal(await identity.setStatus(by, alice, 'active'), true);
      assert.equal(await identity.suspensionReason(alice), undefined);
      const roles = await Promise.all([olivia, mona].map((id) => identity.findUser(id)));
      assert.deepEqual(
        roles.map((user) => [user?.isOperator, user?.isModerator]),
        [
          [true, false],
          [false, true],
        ],
      );
      assert.equal((await identity.newestMembers('moderators', undefined, 10, NOON)).length, 2);
      assert.deepEqual(await auditActs(fixture), [
        `mona user.reactivate user:${alice}`,
        `mona user.suspend user:${alice}`,
      ]);
    });

    test('if operators suspend one another at once, one stays active', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity } = fixture;
      const operators = await Promise.all(['o1', 'o2', 'o3', 'o4'].map((name) => addOperator(fixture, name)));

      await atOnce(16, (index) => identity.setStatus(SERVER, operators[index % 4] ?? 0, 'suspended'));

      const users = await Promise.all(operators.map((id) => identity.findUser(id)));
      assert.equal(users.filter((user) => user?.status === 'active').length, 1);
    });
  },
};
