// Signing in with the confirmed email address, without revealing whose address it is.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { changeEmail } from '../../src/identity/email.ts';
import { type SignIn, signIn } from '../../src/identity/sign-in.ts';
import { MINUTE } from '../../src/lib/clock.ts';
import { type Accounts, ALICES_PASSWORD, addAlice, openAccounts } from './accounts.ts';

const HOME = '192.0.2.1';

describe('signing in with the email address', () => {
  const EMAIL = 'Alice@Home.example';

  function signInAs({ identity }: Accounts, username: string, password: string): Promise<SignIn> {
    return signIn(identity, { username, password, address: HOME });
  }

  async function failAs(accounts: Accounts, username: string, times: number): Promise<SignIn['outcome'][]> {
    const outcomes: SignIn['outcome'][] = [];
    for (let attempt = 0; attempt < times; attempt += 1) {
      outcomes.push((await signInAs(accounts, username, 'wrong password')).outcome);
    }
    return outcomes;
  }

  test('works as with the username, in any case', async (t) => {
    const accounts = await openAccounts(t);
    const userId = await addAlice(accounts, EMAIL);

    const signedIn = await signInAs(accounts, ' alice@home.EXAMPLE ', ALICES_PASSWORD);

    assert.ok(signedIn.outcome === 'signed_in');
    assert.equal(signedIn.userId, userId);
  });

  test('does not work with an address that is not confirmed', async (t) => {
    const accounts = await openAccounts(t);
    const { identity } = accounts;
    const user = await identity.reads.findUser(await addAlice(accounts));
    assert.ok(user);
    const by = byMember(user, identity.clock);
    await changeEmail(by, identity, user, { email: EMAIL, password: ALICES_PASSWORD, language: 'en' });

    assert.deepEqual(await signInAs(accounts, EMAIL, ALICES_PASSWORD), { outcome: 'wrong' });
  });

  test('shares the count of failures with the username: 10 are checked in all', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts, EMAIL);
    await failAs(accounts, 'alice', 6);
    await failAs(accounts, EMAIL, 4);

    const byName = await signInAs(accounts, 'alice', ALICES_PASSWORD);
    const byAddress = await signInAs(accounts, EMAIL, ALICES_PASSWORD);

    assert.deepEqual([byName.outcome, byAddress.outcome], ['wrong', 'wrong']);
    accounts.setClock(15 * MINUTE);
    assert.equal((await signInAs(accounts, EMAIL, ALICES_PASSWORD)).outcome, 'signed_in');
  });

  test('reveals nothing about an address: after failures by the username it is answered as any other', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts, EMAIL);

    assert.equal((await failAs(accounts, 'alice', 11)).at(-1), 'too_many');

    const known = await failAs(accounts, EMAIL, 12);
    const unknown = await failAs(accounts, 'nobody@home.example', 12);
    assert.deepEqual(known, unknown);
    assert.deepEqual(known, [...Array(10).fill('wrong'), 'too_many', 'too_many']);
  });

  test('reveals nothing about a username: after failures by the address it is answered as any other', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts, EMAIL);
    await failAs(accounts, EMAIL, 11);

    assert.deepEqual(await failAs(accounts, 'alice', 11), await failAs(accounts, 'nobody', 11));
  });

  test('writes as much for an unknown address as for a known one, so both take the same time', async (t) => {
    const accounts = await openAccounts(t);
    await addAlice(accounts, EMAIL);
    const counted: number[] = [];
    for (const username of [EMAIL, 'nobody@home.example']) {
      let writes = 0;
      const { identity } = accounts;
      const countAttempt: typeof identity.writes.countAttempt = (...attempt) => {
        writes += 1;
        return identity.writes.countAttempt(...attempt);
      };
      const counting = { ...identity, writes: { ...identity.writes, countAttempt } };
      await signIn(counting, { username, password: 'wrong', address: HOME });
      counted.push(writes);
    }

    assert.deepEqual(counted, [3, 3]);
  });
});
