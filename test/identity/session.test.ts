// A browser's sign-in: how long it lives, and what ends it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endSession, findVisit, startSession } from '../../src/identity/session.ts';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { setStatus } from '../support/people.ts';
import { moveAliceIn, NEW_YEAR, openHouse } from './house.ts';

describe('a session', () => {
  test('is known by its whole cookie only', async (t) => {
    const house = await openHouse(t);
    const cookie = await startSession(house.identity, await moveAliceIn(house));
    const last = cookie.endsWith('a') ? 'b' : 'a';

    const visits = [];
    for (const presented of [cookie, cookie.slice(0, -1) + last, cookie.slice(0, -1), `${cookie}a`, '']) {
      visits.push((await findVisit(house.identity, presented))?.user.username);
    }

    assert.deepEqual(visits, ['alice', undefined, undefined, undefined, undefined]);
    assert.match(cookie, /^[0-9A-Za-z]{54}$/);
  });

  test('ends after 14 days without a visit', async (t) => {
    const house = await openHouse(t);
    const cookie = await startSession(house.identity, await moveAliceIn(house));
    const idle = await startSession(house.identity, 1);

    house.setClock(14 * DAY - 1);
    const before = await findVisit(house.identity, cookie);
    house.setClock(14 * DAY);
    const after = await findVisit(house.identity, idle);

    assert.equal(before?.user.username, 'alice');
    assert.equal(after, undefined);
  });

  test('lives on with visits, and ends 90 days after it began in any case', async (t) => {
    const house = await openHouse(t);
    const cookie = await startSession(house.identity, await moveAliceIn(house));
    for (let day = 10; day < 90; day += 10) {
      house.setClock(day * DAY);
      assert.equal((await findVisit(house.identity, cookie))?.authenticatedAt, NEW_YEAR, `day ${day}`);
    }

    house.setClock(90 * DAY - 1);
    const before = await findVisit(house.identity, cookie);
    house.setClock(90 * DAY);
    const after = await findVisit(house.identity, cookie);

    assert.equal(before?.user.username, 'alice');
    assert.equal(after, undefined);
  });

  test('remembers a visit to the hour, which is not written on each page', async (t) => {
    const house = await openHouse(t);
    const cookie = await startSession(house.identity, await moveAliceIn(house));
    const lastSeen = async () =>
      (await house.identity.reads.findSession(cookie.slice(0, 22)))?.session.lastSeenAt;

    house.setClock(HOUR - 1);
    await findVisit(house.identity, cookie);
    const within = await lastSeen();
    house.setClock(HOUR);
    await findVisit(house.identity, cookie);
    const after = await lastSeen();

    assert.equal(within, NEW_YEAR);
    assert.equal(after, NEW_YEAR + HOUR);
  });

  test('that was ended leaves a worthless cookie; the member’s other browser stays signed in', async (t) => {
    const house = await openHouse(t);
    const userId = await moveAliceIn(house);
    const [cookie, other] = [
      await startSession(house.identity, userId),
      await startSession(house.identity, userId),
    ];

    await endSession(house.identity, cookie);
    await endSession(house.identity, cookie);

    assert.equal(await findVisit(house.identity, cookie), undefined);
    assert.equal((await findVisit(house.identity, other))?.user.username, 'alice');
  });

  test('is not ended by someone who only knows its key', async (t) => {
    const house = await openHouse(t);
    const cookie = await startSession(house.identity, await moveAliceIn(house));

    await endSession(house.identity, cookie.slice(0, 22));
    await endSession(house.identity, cookie.slice(0, 22) + 'a'.repeat(32));

    assert.equal((await findVisit(house.identity, cookie))?.user.username, 'alice');
  });

  for (const status of ['suspended', 'closed'] as const) {
    test(`of a ${status} account is no visit`, async (t) => {
      const house = await openHouse(t);
      const userId = await moveAliceIn(house);
      const cookie = await startSession(house.identity, userId);

      await setStatus(house.identity, userId, status);

      assert.equal(await findVisit(house.identity, cookie), undefined);
    });
  }

  test('that a suspension ended does not come back with the account', async (t) => {
    const house = await openHouse(t);
    const userId = await moveAliceIn(house);
    const cookie = await startSession(house.identity, userId);

    await house.identity.writes.setStatus(userId, 'suspended');
    await house.identity.writes.setStatus(userId, 'active');

    assert.equal(await findVisit(house.identity, cookie), undefined);
  });
});
