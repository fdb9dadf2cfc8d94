// Operators: a member becomes one and stops being one, but the last one stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_LINE, SERVER } from '../doers.ts';
import { addOperator, atOnce, auditActs, type Open, openFixture } from '../fixture.ts';

export const operators = {
  title: 'operators',
  registerTests(open: Open): void {
    test('a member is made an operator, and made a member again', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice, bob } = fixture;
      await addOperator(fixture, 'olivia');
      await identity.setStatus(SERVER, bob, 'suspended');

      const made = await identity.setOperator(COMMAND_LINE, alice, true);
      const during = (await identity.findUser(alice))?.isOperator;
      const unmade = await identity.setOperator(COMMAND_LINE, alice, false);

      assert.deepEqual([made, during, unmade], [true, true, true]);
      assert.equal((await identity.findUser(alice))?.isOperator, false);
      assert.equal(await identity.setOperator(COMMAND_LINE, bob, true), false);
      assert.deepEqual(await auditActs(fixture), [
        `undefined user.unmake_operator user:${alice}`,
        `undefined user.make_operator user:${alice}`,
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
        await identity.setOperator(SERVER, olivia, false),
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
