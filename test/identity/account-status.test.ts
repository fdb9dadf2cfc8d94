// The status of an account: who may change it, and what keeps the site from losing its last operator.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byCommandLine, byMember, byModerating, byOperator } from '../../src/audit/doer.ts';
import { closeOwnAccount } from '../../src/identity/account-closing.ts';
import { setAccountStatus } from '../../src/identity/account-status.ts';
import { setRole } from '../../src/identity/role.ts';
import type { User } from '../../src/identity/user.ts';
import { createUser } from '../../src/identity/user-creation.ts';
import type { TestScope } from '../support/databases.ts';
import { type Accounts, ALICES_PASSWORD, openAccounts } from './accounts.ts';

/** Open accounts with olivia, who is the operator, and alice. */
async function openFixture(scope: TestScope) {
  const accounts = await openAccounts(scope);
  const olivia = await add(accounts, 'olivia', true);
  const alice = await add(accounts, 'alice', false);
  const { identity } = accounts;
  const byOlivia = byOperator(olivia, identity.clock);
  const statusOf = async ({ id }: User) => (await identity.reads.findUser(id))?.status;
  return { identity, olivia, alice, byOlivia, statusOf };
}

async function add({ identity }: Accounts, username: string, isOperator: boolean): Promise<User> {
  const registration = { username, password: ALICES_PASSWORD, isOperator };
  const account = await createUser(byCommandLine(identity.clock), identity, registration);
  const user = 'id' in account ? await identity.reads.findUser(account.id) : undefined;
  assert.ok(user);
  return user;
}

describe('the status of an account', () => {
  test('is changed by an operator', async (t) => {
    const { identity, alice, byOlivia, statusOf } = await openFixture(t);

    const results = [];
    for (const status of ['suspended', 'active', 'closed'] as const) {
      results.push([await setAccountStatus(byOlivia, identity, alice, status), await statusOf(alice)]);
    }

    assert.deepEqual(results, [
      [undefined, 'suspended'],
      [undefined, 'active'],
      [undefined, 'closed'],
    ]);
    assert.equal(await setAccountStatus(byOlivia, identity, alice, 'active'), 'closed');
  });

  test('can be set to what it is, which changes nothing', async (t) => {
    const { identity, olivia, alice, byOlivia, statusOf } = await openFixture(t);
    const by = byCommandLine(identity.clock);

    for (const status of ['active', 'suspended', 'suspended'] as const) {
      assert.equal(await setAccountStatus(byOlivia, identity, alice, status), undefined);
      assert.equal(await statusOf(alice), status);
    }
    assert.equal(await setAccountStatus(by, identity, olivia, 'active'), undefined);
  });

  test('is not changed by the operator whose account it is', async (t) => {
    const { identity, olivia, byOlivia, statusOf } = await openFixture(t);

    assert.equal(await setAccountStatus(byOlivia, identity, olivia, 'closed'), 'self');
    assert.equal(await statusOf(olivia), 'active');
  });

  test('of the last operator stays active', async (t) => {
    const { identity, olivia, statusOf } = await openFixture(t);
    const by = byCommandLine(identity.clock);

    const answers = [
      await setAccountStatus(by, identity, olivia, 'suspended'),
      await setAccountStatus(by, identity, olivia, 'closed'),
      await setRole(by, identity, olivia.id, 'member'),
      await closeOwnAccount(byMember(olivia, identity.clock), identity, ALICES_PASSWORD),
    ];

    const refusal = 'last_operator';
    assert.deepEqual(answers, [refusal, refusal, refusal, { problem: refusal }]);
    assert.equal(await statusOf(olivia), 'active');
  });

  test('is changed by a moderator three times an hour at most, so that the member gets no flood of mails', async (t) => {
    const { identity, olivia, alice, statusOf } = await openFixture(t);
    const mona = byModerating({ id: olivia.id, isOperator: false }, identity.clock);
    const suspend = (reason: string) => setAccountStatus(mona, identity, alice, 'suspended', reason);
    for (let count = 1; count <= 3; count += 1) {
      assert.equal(await suspend(' Click\nhere. '), undefined);
      assert.equal(await identity.reads.suspensionReason(alice.id), 'Click here.');
      assert.equal(await setAccountStatus(mona, identity, alice, 'active'), undefined);
    }

    assert.equal(await suspend('Again.'), 'too_fast');
    assert.equal(await statusOf(alice), 'active');
  });

  test('must be active for a new operator', async (t) => {
    const { identity, alice, byOlivia } = await openFixture(t);
    await setAccountStatus(byOlivia, identity, alice, 'suspended');

    assert.equal(await setRole(byOlivia, identity, alice.id, 'operator'), 'not_active');
    await setAccountStatus(byOlivia, identity, alice, 'active');
    assert.equal(await setRole(byOlivia, identity, alice.id, 'operator'), undefined);
  });
});

describe('closing one’s own account', () => {
  test('needs the password', async (t) => {
    const { identity, alice, statusOf } = await openFixture(t);
    const by = byMember(alice, identity.clock);

    assert.deepEqual(await closeOwnAccount(by, identity, 'wrong'), { problem: 'wrong_password' });
    assert.equal(await statusOf(alice), 'active');
    assert.equal(await closeOwnAccount(by, identity, ALICES_PASSWORD), undefined);
    assert.equal(await statusOf(alice), 'closed');
  });

  test('twice at once succeeds', async (t) => {
    const { identity, alice } = await openFixture(t);
    const by = byMember(alice, identity.clock);

    const answers = await Promise.all([1, 2].map(() => closeOwnAccount(by, identity, ALICES_PASSWORD)));

    assert.deepEqual(answers, [undefined, undefined]);
  });
});
