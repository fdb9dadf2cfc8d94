// A database from before the server drew cards, and before members had links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/storage/engine/database.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { siteStore } from '../../src/storage/site/site-store.ts';
import { asMember, SERVER } from './doers.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

const NAME = '0061-drawings-and-links';

async function check(database: Database): Promise<void> {
  await database.migrate();
  const [site, identity] = [siteStore(database), identityStore(database)];

  const before = await identity.linksOf(1);
  await identity.setLinks(asMember(1), ['https://bob.example/']);
  await site.keepDrawing(SERVER, { name: 'post 1', version: 'a', userId: 1, image: new Uint8Array([7]) });

  assert.deepEqual([before, await identity.linksOf(1)], [[], ['https://bob.example/']]);
  assert.deepEqual([...((await site.findDrawing({ name: 'post 1', version: 'a' })) ?? [])], [7]);
}

test('0061: members have no links after the update, and can add some, on SQLite', async (t) => {
  await check(await sqliteWith(t, earlier('sqlite', NAME)));
});

test('0061: the same on PostgreSQL', { skip }, async (t) => {
  await check(await postgresWith(t, earlier('postgres', NAME)));
});
