// The records that the cache holds.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DAY } from '../../../src/lib/clock.ts';
import type { NewTokenFamily } from '../../../src/oauth/store.ts';
import { openCache } from '../../../src/storage/cache/cache.ts';
import { cachedCommunityStore } from '../../../src/storage/cache/cached-community-store.ts';
import { cachedOAuthStore } from '../../../src/storage/cache/cached-oauth-store.ts';
import { cachedSiteStore } from '../../../src/storage/cache/cached-site-store.ts';
import { openSqlite, type SqliteDatabase } from '../../../src/storage/engine/sqlite.ts';
import { type TestScope, temporaryFolder } from '../../support/databases.ts';
import { asMember } from '../doers.ts';
import { type Fixture, openFixture, type Stores, signIn, storesOf, type TestCommunity } from '../fixture.ts';
import { NOON, newPersonalToken, newPost, newSigningKey } from '../records.ts';

/** Open the stores of a database with a cache. */
export function cachedStoresOf(database: SqliteDatabase, tokens = 1000): Stores {
  const stores = storesOf(database);
  const cache = openCache(database, tokens);
  return {
    ...stores,
    oauth: cachedOAuthStore(stores.oauth, cache),
    community: cachedCommunityStore(stores.community, cache) as TestCommunity,
    site: cachedSiteStore(stores.site, cache),
  };
}

/** A fixture with a record of every kind that the cache holds. */
export interface CachedFixture extends Fixture {
  path: string;
  family: NewTokenFamily;
  codeKey: string;
  accessKey: string;
  personalKey: string;
  personalId: number;
  post: number;
  draft: number;
}

/** Open a file in which alice is signed in to notebook and has a personal token, a post and a draft. */
export async function openCachedFixture(t: TestScope, tokens?: number): Promise<CachedFixture> {
  const path = join(await temporaryFolder(t), 'portico.db');
  const fixture = await openFixture(async (scope) => {
    const database = openSqlite(path);
    scope.after(() => database.close());
    await database.migrate();
    return cachedStoresOf(database, tokens);
  }, t);
  const { oauth, community, alice } = fixture;
  const { code, family, accessToken } = await signIn(fixture, alice, 'notebook');
  const personal = newPersonalToken(alice);
  const personalId = await oauth.addPersonalToken(asMember(alice), personal, 50);
  assert.ok(personalId !== undefined);
  await oauth.addFirstSigningKeys([newSigningKey('one', 'active'), newSigningKey('two', 'next')]);
  return {
    ...fixture,
    path,
    family,
    codeKey: code.key,
    accessKey: accessToken.key,
    personalKey: personal.key,
    personalId,
    post: await community.addPost(asMember(alice), newPost(alice)),
    draft: await community.addPost(
      asMember(alice),
      newPost(alice, { status: 'draft', xp: 0, title: 'On draughts' }),
    ),
  };
}

export type Cached =
  | 'access'
  | 'personal'
  | 'client'
  | 'signing key'
  | 'posts'
  | 'newest'
  | 'settings'
  | 'pinned'
  | 'popular'
  | 'of a category';

/** Read everything that the cache can hold. */
export async function readAll(fixture: CachedFixture): Promise<Record<Cached, unknown>> {
  const { oauth, community, site, alice } = fixture;
  return {
    access: await oauth.findAccessToken(fixture.accessKey),
    personal: await oauth.findPersonalToken(fixture.personalKey),
    client: await oauth.findClient('notebook'),
    'signing key': await oauth.activeSigningKey('RS256'),
    posts: await community.publishedPostsOf(alice, 0, 10),
    newest: await community.newestPosts(5),
    settings: await site.storedSettings(),
    pinned: await community.pinnedPosts(3),
    popular: await community.popularSince(NOON - DAY, 5),
    'of a category': await community.newestInCategory('general', 5),
  };
}

/** Read the same without the cache, through a new connection. */
export async function readFresh(fixture: CachedFixture): Promise<Record<Cached, unknown>> {
  const database = openSqlite(fixture.path);
  try {
    return await readAll({ ...fixture, ...storesOf(database) });
  } finally {
    await database.close();
  }
}
