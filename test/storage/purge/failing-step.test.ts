// A kind of rows whose deletion fails, again and again, keeps no other kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { openMemory } from '../../support/databases.ts';
import { openFixture, signIn, uncached } from '../fixture.ts';
import { LIFETIMES, NOON } from '../records.ts';

const dropMergedCategories = sql<void>`ALTER TABLE categories DROP COLUMN heir_id`;

test('what comes after the step that fails is deleted, and the failure is told', async (t) => {
  const fixture = await openFixture(uncached(openMemory), t);
  const { accessToken } = await signIn(fixture, fixture.alice, 'notebook');
  await fixture.database.atomically({ audit: NO_ENTRY, guard: dropMergedCategories() });

  await assert.rejects(purgeExpired(fixture.database, LIFETIMES, NOON + DAY, 500), /heir_id/);

  assert.equal(await fixture.oauth.findAccessToken(accessToken.key), undefined);
});
