// How often a new password is mailed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openReset, requestReset } from '../../src/identity/password-reset.ts';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import type { TestScope } from '../support/databases.ts';
import { type Accounts, aliceIn, openAccounts } from './accounts.ts';
import { testMailer } from './test-mailer.ts';

async function openWithAlice(scope: TestScope) {
  const accounts = await openAccounts(scope);
  await aliceIn(accounts, 'alice@home.example');
  return { ...accounts, mailer: testMailer(accounts) };
}

function asks({ identity }: Accounts, account: string, address = '192.0.2.1') {
  return requestReset(identity, { account, address, language: 'en' });
}

describe('a reset', () => {
  test('is mailed three times an hour for one account, and the answers don’t show the limit', async (t) => {
    const accounts = await openWithAlice(t);
    const answers = [];
    for (const account of ['alice', 'alice@home.example', 'ALICE', 'alice', 'Alice@home.example']) {
      answers.push((await asks(accounts, account)).outcome);
    }

    assert.deepEqual(answers, Array(5).fill('accepted'));
    assert.equal(await accounts.mailer.send(), 3);
    accounts.setClock(HOUR);
    await asks(accounts, 'alice');
    assert.equal(await accounts.mailer.send(), 1);
  });

  test('is mailed six times a day for one account, then once an hour, and the answers don’t show it', async (t) => {
    const accounts = await openWithAlice(t);
    const sent = [];
    for (let hour = 0; hour < 24; hour += 1) {
      accounts.setClock(hour * HOUR);
      for (const account of ['alice', 'alice@home.example', 'alice']) {
        assert.deepEqual(await asks(accounts, account), { outcome: 'accepted' });
      }
      sent.push(await accounts.mailer.send());
    }
    accounts.setClock(24 * HOUR);
    await asks(accounts, 'alice');

    assert.deepEqual(sent, [3, 3, ...Array(22).fill(1)]);
    assert.equal(await accounts.mailer.send(), 1);
  });

  test('is possible at any time, however often a stranger asks for one', async (t) => {
    const accounts = await openWithAlice(t);
    const { identity, mailer } = accounts;
    for (let time = 0; time < 30 * HOUR; time += 17 * MINUTE) {
      accounts.setClock(time);
      for (let times = 0; times < 3; times += 1) await asks(accounts, 'alice', '198.51.100.66');

      await asks(accounts, 'alice@home.example');

      await mailer.send();
      const links = mailer.arrived.map(({ token = '' }) => openReset(identity, token));
      assert.ok(
        (await Promise.all(links)).some((link) => link !== undefined),
        `${time / MINUTE} minutes`,
      );
    }
    assert.ok(mailer.arrived.length <= 6 + 30);
  });

  test('is possible ten times an hour from one network address', async (t) => {
    const accounts = await openWithAlice(t);
    for (let attempt = 0; attempt < 10; attempt += 1) await asks(accounts, `nobody${attempt}`);

    const eleventh = await asks(accounts, 'alice');
    const elsewhere = await asks(accounts, 'alice', '198.51.100.7');

    assert.deepEqual(eleventh, { outcome: 'too_many', retryAfterSeconds: 3600 });
    assert.deepEqual(elsewhere, { outcome: 'accepted' });
  });
});
