// The records that the cache holds, and every function or statement that can change them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import type { NewTokenFamily } from '../../../src/oauth/store.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { openCache } from '../../../src/storage/cache/cache.ts';
import { cachedCommunityStore } from '../../../src/storage/cache/cached-community-store.ts';
import { cachedOAuthStore } from '../../../src/storage/cache/cached-oauth-store.ts';
import { Fragment, sql } from '../../../src/storage/engine/sql.ts';
import { openSqlite, type SqliteDatabase } from '../../../src/storage/engine/sqlite.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { type TestScope, temporaryFolder } from '../../support/databases.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { type Fixture, openFixture, type Stores, signIn, storesOf, type TestCommunity } from '../fixture.ts';
import {
  asStored,
  LIFETIMES,
  NOON,
  newAccessToken,
  newCode,
  newFamily,
  newPersonalToken,
  newPost,
  newSigningKey,
  publication,
} from '../records.ts';

/** Open the stores of a database with a cache. */
export function cachedStoresOf(database: SqliteDatabase, tokens = 1000): Stores {
  const stores = storesOf(database);
  const cache = openCache(database, tokens);
  return {
    ...stores,
    oauth: cachedOAuthStore(stores.oauth, cache),
    community: cachedCommunityStore(stores.community, cache) as TestCommunity,
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

export type Cached = 'access' | 'personal' | 'client' | 'signing key' | 'posts' | 'newest';

/** Read everything that the cache can hold. */
export async function readAll(fixture: CachedFixture): Promise<Record<Cached, unknown>> {
  const { oauth, community, alice } = fixture;
  return {
    access: await oauth.findAccessToken(fixture.accessKey),
    personal: await oauth.findPersonalToken(fixture.personalKey),
    client: await oauth.findClient('notebook'),
    'signing key': await oauth.activeSigningKey('RS256'),
    posts: await community.publishedPostsOf(alice, 0, 10),
    newest: await community.newestPosts(5),
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

export interface Change {
  what: string;
  /** The records that it changes. All others stay the same. */
  touches: readonly Cached[];
  make(fixture: CachedFixture): Promise<unknown>;
}

/** Make a change, and check that exactly the records that it touches differ when they are read again. */
export async function assertSeen(
  fixture: CachedFixture,
  { touches }: Pick<Change, 'touches'>,
  make: () => unknown,
): Promise<void> {
  const before = await readAll(fixture);

  await make();
  const after = await readAll(fixture);

  assert.deepEqual(after, await readFresh(fixture));
  for (const [name, record] of Object.entries(before)) {
    const isTouched = (touches as readonly string[]).includes(name);
    if (isTouched) assert.notDeepEqual(after[name as keyof typeof after], record, name);
    else assert.deepEqual(after[name as keyof typeof after], record, name);
  }
}

const LATER = NOON + HOUR;
const TOKENS = ['access', 'personal'] as const;
const LISTS = ['posts', 'newest'] as const;
const TEXT = { title: 'On vaults', body: 'A vault.', excerpt: 'A vault.', words: 'on vaults', categoryId: 1 };

/** All changes by functions of the stores to records that the cache can hold. */
export const STORE_CHANGES: readonly Change[] = [
  change('revokeAccessToken', ['access'], ({ oauth, accessKey }) =>
    oauth.revokeAccessToken(accessKey, LATER),
  ),
  change('revokeFamily', ['access'], ({ oauth, family }) => oauth.revokeFamily(family.key, LATER)),
  change('revokeStolenFamily', ['access'], ({ oauth, family }) =>
    oauth.revokeStolenFamily(family.key, LATER, undefined),
  ),
  change('revokeAfterReplay', ['access'], ({ oauth, alice, codeKey }) => {
    const code = { key: codeKey, userId: alice, clientId: 'notebook' };
    return oauth.revokeAfterReplay({ code, address: undefined, at: LATER });
  }),
  change('redeem with a code that was redeemed', ['access'], async ({ oauth, alice, codeKey }) => {
    const code = asStored(newCode(alice, 'notebook', { key: codeKey }));
    const family = newFamily(alice, 'notebook');
    assert.equal(await oauth.redeem(code, family, newAccessToken(family.key), LATER), 'refused');
  }),
  change('rotate by a spent token', ['access'], async ({ oauth, family }) => {
    const rotation = {
      familyKey: family.key,
      presentedDigest: digestOf('a generation long ago'),
      nextDigest: digestOf('the next generation'),
      refreshExpiresAt: LATER + DAY,
      at: LATER,
      raceSince: undefined,
    };
    assert.equal(await oauth.rotate(rotation, newAccessToken(family.key)), 'refused');
  }),
  change('withdrawGrant', ['access'], ({ oauth, alice }) =>
    oauth.withdrawGrant(asMember(alice, LATER), alice, 'notebook'),
  ),
  change('setClientStatus', ['access', 'client'], ({ oauth }) =>
    oauth.setClientStatus(SERVER, 'notebook', 'deactivated'),
  ),
  change('replaceClientSecret', ['client'], ({ oauth }) =>
    oauth.replaceClientSecret(SERVER, 'notebook', digestOf('another secret')),
  ),
  change('revokePersonalToken', ['personal'], ({ oauth, personalId }) =>
    oauth.revokePersonalToken(SERVER, personalId),
  ),
  change('touchPersonalToken', ['personal'], ({ oauth, personalId }) =>
    oauth.touchPersonalToken(personalId, LATER),
  ),
  change('setStatus', TOKENS, ({ identity, alice }) => identity.setStatus(SERVER, alice, 'suspended')),
  change('setBio', TOKENS, ({ identity, alice }) => identity.setBio(asMember(alice), 'Reads a lot')),
  change('setMemberUntil', TOKENS, ({ identity, alice }) => identity.setMemberUntil(SERVER, alice, LATER)),
  change('setOperator', TOKENS, ({ identity, alice }) => identity.setOperator(SERVER, alice, true)),
  change('setAvatar', [...TOKENS, ...LISTS], ({ identity, alice }) =>
    identity.setAvatar(asMember(alice, LATER), 'aaaaaaaaaaaa', Buffer.from('picture')),
  ),
  change('closeAccount', [...TOKENS, ...LISTS], ({ identity, alice }) =>
    identity.closeAccount({ ...SERVER, at: LATER }, alice),
  ),
  change('removeReported', [...TOKENS, ...LISTS], async ({ community, alice, post }) => {
    const subject = await community.findReportable({ postId: post });
    assert.ok(subject !== undefined);
    const removal = { subject, xp: 10, weight: 1 };
    assert.equal(await community.removeReported(asOperator(alice, LATER), removal), true);
  }),
  change('addPost', [...TOKENS, ...LISTS], ({ community, alice }) =>
    community.addPost(asMember(alice), newPost(alice, { title: 'On piers' })),
  ),
  change('editPost', LISTS, ({ community, alice, post }) =>
    community.editPost(asMember(alice, LATER), post, TEXT),
  ),
  change('publishDraft', [...TOKENS, ...LISTS], ({ community, alice, draft }) =>
    community.publishDraft(asMember(alice, LATER), draft, publication()),
  ),
  change('removePost', [...TOKENS, ...LISTS], ({ community, alice, post }) =>
    community.removePost(asMember(alice, LATER), post, 10),
  ),
  change('saveDraft', [], ({ community, alice, draft }) =>
    community.saveDraft(asMember(alice, LATER), draft, TEXT),
  ),
  change('restorePost', [...TOKENS, ...LISTS], async (fixture) => {
    const { community, alice } = fixture;
    const removed = await community.addPost(asMember(alice, NOON + 1), newPost(alice, { title: 'On ribs' }));
    await community.removePost(asMember(alice, LATER), removed, 5);
    await readAll(fixture);
    assert.ok(
      await community.restorePost(asMember(alice, LATER), removed, publication({ version: NOON + 1 }), NOON),
    );
  }),
  change('addComment and addLike', [...TOKENS, ...LISTS], async ({ community, alice, bob, post }) => {
    const reaction = { postId: post, xp: 2, weight: HOUR };
    const byBob = asMember(bob, LATER);
    await community.addComment(byBob, { ...reaction, replyTo: undefined, body: 'True.' });
    assert.ok(await community.addLike(byBob, reaction));
    assert.equal((await community.publishedPostsOf(alice, 0, 20)).items[0]?.likeCount, 1);
  }),
  change('storeHtml', [], ({ community, alice, post }) =>
    community.storeHtml(
      { kind: 'post', id: post, body: newPost(alice).body },
      { html: 'new', htmlVersion: 1 },
    ),
  ),
  change('countViews', LISTS, ({ community, post }) =>
    community.countViews([{ postId: post, day: 20_000, visitor: 'somebody' }]),
  ),
  change('renameCategory', LISTS, ({ community, alice }) =>
    community.renameCategory(asOperator(alice, LATER), 'general', 'Arches'),
  ),
  change('rotateSigningKey', ['signing key'], ({ oauth }) =>
    oauth.rotateSigningKey(SERVER, {
      activeKid: 'one',
      nextKid: 'two',
      following: newSigningKey('three', 'next'),
    }),
  ),
  change('the purge of expired tokens', ['access', 'personal'], async (fixture) => {
    await fixture.oauth.revokePersonalToken(SERVER, fixture.personalId);
    assert.ok(await fixture.oauth.findPersonalToken(fixture.personalKey));
    assert.ok((await purgeExpired(fixture.database, LIFETIMES, NOON + 60 * DAY, 500)) > 0);
  }),
];

const deletePost = sql<{ id: number }>`DELETE FROM posts WHERE id = :id`;
const deleteSigningKey = sql<{ kid: string }>`DELETE FROM signing_keys WHERE kid = :kid`;

/** Changes that no function of the stores makes, or only together with others. */
export const STATEMENT_CHANGES: readonly Change[] = [
  change('the deletion of a post', LISTS, ({ database, post }) =>
    database.atomically({ audit: NO_ENTRY, guard: deletePost({ id: post }) }),
  ),
  change('the deletion of the active signing key', ['signing key'], ({ database }) =>
    database.atomically({ audit: NO_ENTRY, guard: deleteSigningKey({ kid: 'one' }) }),
  ),
];

/** A new value for each column of a member that a token's record contains. */
export const COLUMNS = {
  username: 'alicia',
  email: 'alice@example.com',
  bio: 'Writes now',
  avatar: 'abc',
  status: 'closed',
  is_operator: 1,
  member_until: LATER,
  xp: 77,
  created_at: LATER,
} as const;

/** Changes to a member's row, column by column. */
export const MEMBER_CHANGES: readonly Change[] = Object.entries(COLUMNS).map(([column, value]) =>
  change(
    `the column ${column} of a member`,
    ['username', 'avatar'].includes(column) ? [...TOKENS, ...LISTS] : TOKENS,
    ({ database, alice }) => {
      const update = sql<{ value: unknown; id: number }>`
        UPDATE users SET ${new Fragment(column)} = :value WHERE id = :id`;
      return database.atomically({ audit: NO_ENTRY, guard: update({ value, id: alice }) });
    },
  ),
);

function change(what: string, touches: Change['touches'], make: Change['make']): Change {
  return { what, touches, make };
}
