// Replacing a known password: the new session, the limits, and when a service is asked about a breach.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { changePassword } from '../../src/identity/password-change.ts';
import { reauthenticate } from '../../src/identity/reauthentication.ts';
import type { User } from '../../src/identity/user.ts';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { withApp } from '../support/codes.ts';
import { ALICES_PASSWORD, aliceIn, openAccounts } from './accounts.ts';

const change = (identity: Identity, user: User, current: string, next: string) =>
  changePassword(byMember(user, identity.clock), identity, user, { current, next, language: 'en' });

describe('a change of the password', () => {
  test('opens no session if the new password was replaced in the meantime', async (t) => {
    const { identity } = await openAccounts(t);
    const alice = await aliceIn({ identity, setClock() {} }, 'alice@home.example');
    // Her address's owner undoes a change of it, right after the password is changed.
    const writes: Identity['writes'] = {
      ...identity.writes,
      async changePassword(by, replacement) {
        const isChanged = await identity.writes.changePassword(by, replacement);
        return (
          isChanged && identity.writes.renewPasswordHash(alice.id, replacement.to, 'of no password at all')
        );
      },
    };

    const outcome = await change(
      { ...identity, writes },
      alice,
      ALICES_PASSWORD,
      'another walk, in the snow',
    );

    assert.deepEqual(outcome, { problem: 'wrong_password' });
  });

  test('opens no session if the member’s first factor was stored in the meantime', async (t) => {
    const { identity } = await openAccounts(t);
    const alice = await aliceIn({ identity, setClock() {} });
    const writes: Identity['writes'] = {
      ...identity.writes,
      async changePassword(by, replacement) {
        const isChanged = await identity.writes.changePassword(by, replacement);
        await withApp(identity, alice);
        return isChanged;
      },
    };

    const next = 'another walk, in the snow';
    const outcome = await change({ ...identity, writes }, alice, ALICES_PASSWORD, next);

    assert.deepEqual(outcome, { problem: 'wrong_password' });
    assert.equal(await identity.reads.countSessions(alice.id, 0, 0), 0);
  });

  test('succeeds at most five times an hour', async (t) => {
    const { identity, setClock } = await openAccounts(t);
    const alice = await aliceIn({ identity, setClock });
    let current = ALICES_PASSWORD;
    for (let round = 1; round <= 5; round += 1) {
      const next = `another walk, number ${round}`;
      assert.ok('cookie' in (await change(identity, alice, current, next)));
      current = next;
    }

    setClock(15 * MINUTE);
    const sixth = await change(identity, alice, current, 'another walk, number 6');
    setClock(HOUR);
    const later = await change(identity, alice, current, 'another walk, number 6');

    assert.deepEqual(sixth, { problem: 'too_many_changes', retryAfterSeconds: 45 * 60 });
    assert.ok('cookie' in later);
  });

  test('asks a service about the new password only after the current one was right', async (t) => {
    const { identity } = await openAccounts(t);
    const alice = await aliceIn({ identity, setClock() {} });
    const asked: string[] = [];
    const isBreached = async (password: string) => asked.push(password) > 0;
    const passwordRules = { ...identity.passwordRules, isBreached };
    const asking = { ...identity, passwordRules };

    const wrong = await change(asking, alice, 'a wrong guess', 'another walk, in the snow');
    const common = await change(asking, alice, ALICES_PASSWORD, 'password');
    const breached = await change(asking, alice, ALICES_PASSWORD, 'another walk, in the rain');

    assert.deepEqual(
      [wrong, common, breached],
      [{ problem: 'wrong_password' }, { problem: 'common' }, { problem: 'breached' }],
    );
    assert.deepEqual(asked, ['another walk, in the rain']);
  });
});

describe('a member who enters the password again', () => {
  test('can do so ten times in 15 minutes from an address, right or wrong, at once or one by one', async (t) => {
    const { identity, setClock } = await openAccounts(t);
    const alice = await aliceIn({ identity, setClock });
    const prove = (address?: string) =>
      reauthenticate(byMember(alice, identity.clock, address), identity, ALICES_PASSWORD);

    const atOnce = await Promise.all(Array.from({ length: 40 }, () => prove()));
    const next = await prove();
    const elsewhere = await prove('192.0.2.9');
    setClock(15 * MINUTE);
    const later = await prove();

    assert.equal(atOnce.filter((refusal) => refusal === undefined).length, 10);
    assert.deepEqual(next, { problem: 'too_many_attempts', retryAfterSeconds: 15 * 60 });
    assert.deepEqual([elsewhere, later], [undefined, undefined]);
  });
});
