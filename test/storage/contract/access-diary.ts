// The access diary: equal requests of an hour are one line, and no line outlives its member or the 30 days.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import type { DiaryLine } from '../../../src/oauth/access-diary-store.ts';
import type { OAuthStore } from '../../../src/oauth/store.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON } from '../records.ts';

function lineOf(userId: number, more: Partial<DiaryLine> = {}): DiaryLine {
  return {
    userId,
    hour: NOON,
    clientId: 'notebook',
    source: 'family',
    reading: 'profile',
    status: 200,
    network: '192.0.2.0/24',
    program: 'curl',
    requests: 1,
    posts: 0,
    firstAt: NOON + MINUTE,
    lastAt: NOON + MINUTE,
    ...more,
  };
}

function read({ oauth }: Fixture, userId: number, more = {}): Promise<DiaryLine[]> {
  return oauth.diaryLines({ userId, from: NOON - DAY, until: NOON + DAY, limit: 100, ...more });
}

/** Add lines as one step, after those of other processes. */
async function add(oauth: OAuthStore, lines: DiaryLine[]): Promise<void> {
  const step = { batchIds: [], lines, done: lines.length, isLast: true };
  while (!(await oauth.mergeIntoDiary({ version: (await oauth.pendingDiary(1)).version, ...step })));
}

const selectHoursOf = sql<{ userId: number }, { hour: number }>`
  SELECT hour FROM diary_hours WHERE user_id = :userId`;

export const accessDiary = {
  title: 'the access diary',
  registerTests(open: Open): void {
    test('the numbers of equal lines are added, also when several processes write at once', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const later = { requests: 2, posts: 5, firstAt: NOON + 2 * MINUTE, lastAt: NOON + 3 * MINUTE };

      await add(oauth, [lineOf(alice)]);
      await add(oauth, [lineOf(alice, later)]);
      await atOnce(8, () => add(oauth, [lineOf(alice, later), lineOf(alice, { reading: 'posts' })]));

      assert.deepEqual(await read(fixture, alice), [
        lineOf(alice, { requests: 19, posts: 45, lastAt: NOON + 3 * MINUTE }),
        lineOf(alice, { reading: 'posts', requests: 8 }),
      ]);
    });

    test('batches are brought in step by step, each step once, and go with the last one', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice } = fixture;
      const backlogs: number[] = [];
      for (const lines of ['first', 'second', 'third']) backlogs.push(await oauth.addDiaryBatch(lines));
      const { version, batches } = await oauth.pendingDiary(2);
      const batchIds = batches.map(({ id }) => id);
      const step = { version, batchIds, lines: [lineOf(alice)], done: 1, isLast: false };

      const outcomes = await atOnce(8, () => oauth.mergeIntoDiary(step));
      const begun = await oauth.pendingDiary(1);
      const last = { ...step, version: version + 1, done: 2, isLast: true };
      const ends = [await oauth.mergeIntoDiary(last), await oauth.mergeIntoDiary(last)];

      assert.deepEqual(
        batches.map(({ lines }) => lines),
        ['first', 'second'],
      );
      assert.equal(outcomes.filter((happened) => happened).length, 1);
      assert.deepEqual(begun, { version: version + 1, batches, done: 1 });
      assert.deepEqual(ends, [true, false]);
      const { batches: rest, done } = await oauth.pendingDiary(2);
      assert.deepEqual([rest.map(({ lines }) => lines), done], [['third'], 0]);
      assert.deepEqual(backlogs, [0, 1, 2]);
      assert.deepEqual(await read(fixture, alice), [lineOf(alice, { requests: 2 })]);
    });

    test('it is read newest first, within two moments, and for one application', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const at = (hours: number, more: Partial<DiaryLine> = {}) => {
        const hour = NOON + hours * HOUR;
        return lineOf(alice, { hour, firstAt: hour + 1, lastAt: hour + 2, ...more });
      };
      await add(oauth, [at(-1), at(0, { clientId: '' }), at(1), lineOf(bob)]);

      assert.deepEqual(await read(fixture, alice), [at(1), at(0, { clientId: '' }), at(-1)]);
      assert.deepEqual(await read(fixture, alice, { limit: 1 }), [at(1)]);
      assert.deepEqual(await read(fixture, alice, { clientId: '' }), [at(0, { clientId: '' })]);
      assert.deepEqual(await read(fixture, alice, { from: NOON, until: NOON + HOUR }), [
        at(0, { clientId: '' }),
      ]);
      assert.deepEqual(await read(fixture, alice, { from: NOON + 2, until: NOON + HOUR }), [
        at(0, { clientId: '' }),
      ]);
      assert.deepEqual(await read(fixture, alice, { from: NOON + 3, until: NOON + HOUR }), []);
    });

    test('its days have the sum of the requests of each application, wherever a day begins', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, database, alice, bob } = fixture;
      const at = (minutes: number, more: Partial<DiaryLine> = {}) => {
        const moment = NOON + minutes * MINUTE;
        const hour = moment - (moment % HOUR);
        return lineOf(alice, { hour, firstAt: moment, lastAt: moment, ...more });
      };
      const lines = Array.from({ length: 50 }, (_, index) => at(5, { program: `program-${index}` }));
      await add(oauth, [...lines, at(6, { clientId: '' }), at(29, { clientId: 'other' }), lineOf(bob)]);
      await add(oauth, [at(90), at(91, { status: 304, requests: 3 }), at(10), at(9 * 60)]);

      const days = [
        { beginsAt: NOON - 30 * MINUTE, endsAt: NOON + 29 * MINUTE },
        { beginsAt: NOON + 29 * MINUTE, endsAt: NOON + 5 * HOUR },
      ];
      const sums = await oauth.diarySums(alice, days);

      const [first, second] = days.map(({ beginsAt }) => beginsAt);
      assert.deepEqual(
        sums.map(({ beginsAt, clientId, requests, lastAt }) => [beginsAt, clientId, requests, lastAt]).sort(),
        [
          [first, '', 1, NOON + 6 * MINUTE],
          [first, 'notebook', 51, NOON + 10 * MINUTE],
          [second, 'notebook', 4, NOON + 91 * MINUTE],
          [second, 'other', 1, NOON + 29 * MINUTE],
        ],
      );
      assert.equal((await database.rows(selectHoursOf({ userId: alice }))).length, 5);
    });

    test('the last hour of each sign-in is found, however many lines others have', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, alice, bob } = fixture;
      const early = { hour: NOON - 20 * HOUR, firstAt: NOON - 20 * HOUR, lastAt: NOON - 20 * HOUR };
      const rest = Array.from({ length: 50 }, (_, index) => lineOf(alice, { program: `program-${index}` }));
      const two = [
        lineOf(alice, { source: 'b', lastAt: NOON + 9 }),
        lineOf(alice, { source: 'b', status: 304 }),
      ];
      await add(oauth, [
        ...rest,
        ...two,
        lineOf(alice, { source: 'a', ...early }),
        lineOf(bob, { source: 'c' }),
      ]);
      await add(oauth, [
        lineOf(alice, { source: 'b', ...early }),
        lineOf(alice, { source: '7', clientId: '' }),
      ]);

      const of = { userId: alice, clientId: 'notebook', sources: ['a', 'b', 'c', 'd', '7'] };

      assert.deepEqual(await oauth.lastLinesOf(of), [
        lineOf(alice, { source: 'a', ...early }),
        lineOf(alice, { source: 'b', lastAt: NOON + 9 }),
        lineOf(alice, { source: 'b', status: 304 }),
      ]);
    });

    test('a member can switch it off, which deletes it, and on again', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, identity, audit, database, alice, bob } = fixture;
      await add(oauth, [lineOf(alice), lineOf(bob)]);

      await oauth.keepDiary({ ...asMember(alice), at: NOON + HOUR }, false);
      await add(oauth, [lineOf(alice), lineOf(bob)]);

      assert.equal((await identity.findUser(alice))?.keepsDiary, false);
      assert.deepEqual(await read(fixture, alice), []);
      assert.deepEqual(await database.rows(selectHoursOf({ userId: alice })), []);
      assert.deepEqual(await read(fixture, bob), [lineOf(bob, { requests: 2 })]);

      const later = { hour: NOON + HOUR, firstAt: NOON + HOUR, lastAt: NOON + HOUR };
      await oauth.keepDiary({ ...asMember(alice), at: NOON + HOUR }, true);
      await oauth.keepDiary({ ...asMember(alice), at: NOON + 2 * HOUR }, true);
      // The first was read before, and comes late.
      await add(oauth, [lineOf(alice), lineOf(alice, later)]);

      assert.deepEqual(await read(fixture, alice), [lineOf(alice, later)]);
      assert.equal((await identity.findUser(alice))?.diarySince, NOON + HOUR);
      assert.deepEqual(
        (await database.rows(selectHoursOf({ userId: alice }))).map(({ hour }) => hour),
        [NOON + HOUR],
      );
      assert.deepEqual(
        (await audit.securityEvents({ userId: alice, limit: 9 })).map(({ event, at }) => [event, at]),
        [
          ['diary_switched_on', NOON + HOUR],
          ['diary_switched_off', NOON + HOUR],
        ],
      );
    });

    test('closing the account deletes it, and nothing is added afterwards', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, identity, database, alice, bob } = fixture;
      await add(oauth, [lineOf(alice), lineOf(bob)]);

      await identity.closeAccount({ ...SERVER, at: NOON + HOUR }, alice);
      await add(oauth, [lineOf(alice), lineOf(bob)]);

      assert.deepEqual(await read(fixture, alice), []);
      assert.deepEqual(await database.rows(selectHoursOf({ userId: alice })), []);
      assert.deepEqual(await read(fixture, bob), [lineOf(bob, { requests: 2 })]);
    });

    test('hours that ended 30 days ago are purged', async (t) => {
      const fixture = await openFixture(open, t);
      const { oauth, database, alice } = fixture;
      await add(oauth, [lineOf(alice), lineOf(alice, { hour: NOON + HOUR, lastAt: NOON + HOUR })]);

      const deleted = await purgeExpired(database, LIFETIMES, NOON + HOUR + LIFETIMES.diary, 100);

      assert.equal(deleted, 2);
      assert.equal((await database.rows(selectHoursOf({ userId: alice }))).length, 1);
      assert.deepEqual(
        (await read(fixture, alice)).map(({ hour }) => hour),
        [NOON + HOUR],
      );
    });
  },
};
