// The number of an application's members on pages: few are counted each time, many now and then.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../src/lib/clock.ts';
import { countMembers } from '../../src/oauth/member-count.ts';
import type { OAuthReads } from '../../src/oauth/store.ts';

test('few members are counted each time; a large number is kept for ten minutes', async () => {
  let members = 999;
  let now = 0;
  let counted = 0;
  const reads = {
    async countGrants(_: string, __: number, most = Number.MAX_SAFE_INTEGER) {
      counted += Math.min(members, most);
      return Math.min(members, most);
    },
  } as OAuthReads;
  const count = () => countMembers({ reads, clock: () => now }, { id: 'counted' });

  assert.equal(await count(), 999);
  members = 1000;
  assert.equal(await count(), 1000);

  members = 100_000;
  assert.equal(await count(), 100_000);
  members = 100_001;
  counted = 0;
  assert.equal(await count(), 100_000);
  assert.ok(counted < 2000);
  now += 10 * MINUTE;
  assert.equal(await count(), 100_001);
});
