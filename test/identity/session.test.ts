// A browser's sign-in: how long it is valid, and what ends it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { findVisit, signOut, startSession } from '../../src/identity/session.ts';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { setStatus } from '../support/people.ts';
import { addAlice, NEW_YEAR, openAccounts } from './accounts.ts';

const START = { method: 'password', address: '192.0.2.7' } as const;

describe('a session', () => {
  test('is found only by its whole cookie', async (t) => {
    const accounts = await openAccounts(t);
    const cookie = await startSession(accounts.identity, await addAlice(accounts), START);
    const last = cookie.endsWith('a') ? 'b' : 'a';

    const visits = [];
    for (const presented of [cookie, cookie.slice(0, -1) + last, cookie.slice(0, -1), `${cookie}a`, '']) {
      visits.push((await findVisit(accounts.identity, presented))?.user.username);
    }

    assert.deepEqual(visits, ['alice', undefined, undefined, undefined, undefined]);
    assert.match(cookie, /^[0-9A-Za-z]{54}$/);
  });

  test('ends after 14 days without a visit', async (t) => {
    const accounts = await openAccounts(t);
    const cookie = await startSession(accounts.identity, await addAlice(accounts), START);
    const idle = await startSession(accounts.identity, 1, START);

    accounts.setClock(14 * DAY - 1);
    const before = await findVisit(accounts.identity, cookie);
    accounts.setClock(14 * DAY);
    const after = await findVisit(accounts.identity, idle);

    assert.equal(before?.user.username, 'alice');
    assert.equal(after, undefined);
  });

  test('is prolonged by visits, and ends after 90 days in any case', async (t) => {
    const accounts = await openAccounts(t);
    const cookie = await startSession(accounts.identity, await addAlice(accounts), START);
    for (let day = 10; day < 90; day += 10) {
      accounts.setClock(day * DAY);
      assert.equal((await findVisit(accounts.identity, cookie))?.authenticatedAt, NEW_YEAR, `day ${day}`);
    }

    accounts.setClock(90 * DAY - 1);
    const before = await findVisit(accounts.identity, cookie);
    accounts.setClock(90 * DAY);
    const after = await findVisit(accounts.identity, cookie);

    assert.equal(before?.user.username, 'alice');
    assert.equal(after, undefined);
  });

  test('stores the last visit to the hour, so most pages write nothing', async (t) => {
    const accounts = await openAccounts(t);
    const cookie = await startSession(accounts.identity, await addAlice(accounts), START);
    const lastSeen = async () =>
      (await accounts.identity.reads.findSession(cookie.slice(0, 22)))?.session.lastSeenAt;

    accounts.setClock(HOUR - 1);
    await findVisit(accounts.identity, cookie);
    const within = await lastSeen();
    accounts.setClock(HOUR);
    await findVisit(accounts.identity, cookie);
    const after = await lastSeen();

    assert.equal(within, NEW_YEAR);
    assert.equal(after, NEW_YEAR + HOUR);
  });

  test('that has ended is not found by its cookie; the member’s other browser stays signed in', async (t) => {
    const accounts = await openAccounts(t);
    const userId = await addAlice(accounts);
    const [cookie, other] = [
      await startSession(accounts.identity, userId, START),
      await startSession(accounts.identity, userId, START),
    ];

    await signOut(accounts.identity, cookie, START.address);
    await signOut(accounts.identity, cookie, START.address);

    assert.equal(await findVisit(accounts.identity, cookie), undefined);
    assert.equal((await findVisit(accounts.identity, other))?.user.username, 'alice');
  });

  test('is not ended by its key alone', async (t) => {
    const accounts = await openAccounts(t);
    const cookie = await startSession(accounts.identity, await addAlice(accounts), START);

    await signOut(accounts.identity, cookie.slice(0, 22), START.address);
    await signOut(accounts.identity, cookie.slice(0, 22) + 'a'.repeat(32), START.address);

    assert.equal((await findVisit(accounts.identity, cookie))?.user.username, 'alice');
  });

  for (const status of ['suspended', 'closed'] as const) {
    test(`of a ${status} account is not found`, async (t) => {
      const accounts = await openAccounts(t);
      const userId = await addAlice(accounts);
      const cookie = await startSession(accounts.identity, userId, START);

      await setStatus(accounts.identity, userId, status);

      assert.equal(await findVisit(accounts.identity, cookie), undefined);
    });
  }

  test('that a suspension ended does not come back with the account', async (t) => {
    const accounts = await openAccounts(t);
    const userId = await addAlice(accounts);
    const cookie = await startSession(accounts.identity, userId, START);

    await accounts.identity.writes.setStatus(byServer(accounts.identity.clock), userId, 'suspended');
    await accounts.identity.writes.setStatus(byServer(accounts.identity.clock), userId, 'active');

    assert.equal(await findVisit(accounts.identity, cookie), undefined);
  });
});
