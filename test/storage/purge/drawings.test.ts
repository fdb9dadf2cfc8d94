// Which cards and icons are deleted, and which stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { deleteDrawingsBeyond } from '../../../src/storage/site/drawings.ts';
import { openFreshPostgres, openMemory } from '../../support/databases.ts';
import { SERVER } from '../doers.ts';
import { skip as withoutPostgres } from '../earlier-databases.ts';
import { openFixture, uncached } from '../fixture.ts';
import { LIFETIMES, NOON } from '../records.ts';

for (const [name, open, skip] of [
  ['SQLite', uncached(openMemory), false],
  ['PostgreSQL', uncached(openFreshPostgres), withoutPostgres],
] as const) {
  test(`on ${name}, a card is deleted after its time, and the oldest go when there are too many`, {
    skip,
  }, async (t) => {
    const fixture = await openFixture(open, t);
    const { site, database } = fixture;
    const image = new Uint8Array([1]);
    const left = async () => {
      const found = await Promise.all(
        [0, 1, 2, 3, 4].map((n) => site.findDrawing({ name: `post ${n}`, version: 'a' })),
      );
      return [...found.keys()].filter((n) => found[n] !== undefined);
    };
    for (let n = 0; n < 5; n += 1) {
      const drawing = { name: `post ${n}`, version: 'a', userId: undefined, image };
      await site.keepDrawing({ ...SERVER, at: NOON + n }, drawing);
    }

    const beyond = await database.atomically({
      audit: NO_ENTRY,
      guard: deleteDrawingsBeyond({ most: 3, limit: 100 }),
    });
    const afterBound = await left();
    const old = await purgeExpired(database, LIFETIMES, NOON + 30 * DAY + 3, 100);

    assert.deepEqual([beyond.rows.length, afterBound], [2, [2, 3, 4]]);
    assert.deepEqual([old, await left()], [2, [4]]);
  });
}
