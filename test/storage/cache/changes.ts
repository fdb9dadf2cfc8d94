// Every function or statement that can change a record that the cache holds.

import assert from 'node:assert/strict';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { Fragment, sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import {
  asStored,
  inForce,
  LIFETIMES,
  NOON,
  newAccessToken,
  newClient,
  newCode,
  newFamily,
  newPersonalToken,
  newPost,
  newSigningKey,
  publication,
} from '../records.ts';

import { type Cached, type CachedFixture, readAll, readFresh } from './cached-fixture.ts';

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
const SUMMARIES = ['posts', 'newest', 'popular'] as const;
export const LISTS = [...SUMMARIES, 'of a category'] as const;
const TEXT = { title: 'On vaults', body: 'A vault.', excerpt: 'A vault.', words: 'on vaults', categoryId: 1 };

/** All changes by functions of the stores to records that the cache can hold. */
export const STORE_CHANGES: readonly Change[] = [
  change('revokeAccessToken', ['access'], ({ oauth, accessKey }) =>
    oauth.revokeAccessToken(accessKey, LATER),
  ),
  change('revokeFamily', ['access'], ({ oauth, family }) => oauth.revokeFamily(family.key, LATER)),
  change('revokeStolenFamily', ['access'], ({ oauth, family }) =>
    oauth.revokeStolenFamily(family.key, { at: LATER, address: undefined, owner: family }),
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
  change('narrowGrant', ['access'], async ({ oauth, alice }) => {
    const both = ['profile:read', 'posts:read'] as const;
    assert.ok(await oauth.narrowGrant(asMember(alice, LATER), alice, 'notebook', both, ['posts:read']));
  }),
  change('pauseGrant', ['access'], async ({ oauth, alice }) =>
    assert.ok(await oauth.pauseGrant(asMember(alice, LATER), alice, 'notebook')),
  ),
  change('resumeGrant', ['access'], async (fixture) => {
    const { oauth, alice } = fixture;
    await oauth.revokeAccessToken(fixture.accessKey, LATER);
    await oauth.pauseGrant(asMember(alice, LATER), alice, 'notebook');
    await readAll(fixture);
    assert.ok(await oauth.resumeGrant(asMember(alice, LATER), alice, 'notebook'));
  }),
  change('approve with an end', ['access'], async ({ oauth, alice }) => {
    const grantEndsAt = NOON + HOUR / 2;
    const code = newCode(alice, 'notebook', { duration: '1_day', grantEndsAt });
    assert.ok(await oauth.approve(asMember(alice), inForce(...code.scopes), code.scopes, code));
  }),
  change('setClientStatus', ['access', 'client'], ({ oauth }) =>
    oauth.setClientStatus(SERVER, 'notebook', 'deactivated'),
  ),
  change('replaceClientSecret', ['client'], ({ oauth }) =>
    oauth.replaceClientSecret(
      SERVER,
      'notebook',
      { digest: digestOf('another secret'), ending: 'wxyz' },
      undefined,
    ),
  ),
  change('changeClient', ['client'], ({ oauth }) =>
    oauth.changeClient(
      SERVER,
      newClient('notebook'),
      newClient('notebook', { name: 'Changed' }),
      ['name'],
      'kept',
    ),
  ),
  change('deleteClient', ['access', 'client'], ({ oauth }) => oauth.deleteClient(SERVER, 'notebook', false)),
  change('revokePersonalToken', ['personal'], ({ oauth, personalId }) =>
    oauth.revokePersonalToken(SERVER, personalId),
  ),
  change('changePersonalToken', ['personal'], async ({ oauth, alice, personalKey }) => {
    const token = await oauth.findPersonalToken(personalKey);
    assert.ok(token);
    await oauth.changePersonalToken(
      asMember(alice),
      token,
      { ...token, scopes: ['profile:read'] },
      'widened',
    );
  }),
  change('replacePersonalToken', ['personal'], ({ oauth, alice, personalId }) =>
    oauth.replacePersonalToken(asMember(alice), personalId, {
      ...newPersonalToken(alice),
      oldEndsAt: LATER,
      language: 'en',
    }),
  ),
  change('revokePersonalTokensOf', ['personal'], ({ oauth, alice }) =>
    oauth.revokePersonalTokensOf(asMember(alice)),
  ),
  change('touchPersonalToken', ['personal'], ({ oauth, personalId }) =>
    oauth.touchPersonalToken(personalId, LATER, { network: undefined, program: undefined, endpoint: '/' }),
  ),
  change('setStatus', TOKENS, ({ identity, alice }) => identity.setStatus(SERVER, alice, 'suspended')),
  change('keepDiary', TOKENS, ({ oauth, alice }) => oauth.keepDiary(asMember(alice), false)),
  change('setBio', TOKENS, ({ identity, alice }) => identity.setBio(asMember(alice), 'Reads a lot')),
  change('setMemberUntil', TOKENS, ({ identity, alice }) => identity.setMemberUntil(SERVER, alice, LATER)),
  change('setRole', TOKENS, ({ identity, alice }) => identity.setRole(SERVER, alice, 'operator')),
  change('setAvatar', [...TOKENS, ...SUMMARIES], ({ identity, alice }) =>
    identity.setAvatar(asMember(alice, LATER), 'aaaaaaaaaaaa', Buffer.from('picture')),
  ),
  change('closeAccount', [...TOKENS, ...LISTS], ({ identity, alice }) =>
    identity.closeAccount({ ...SERVER, at: LATER }, alice),
  ),
  change('setPinned', ['pinned'], (f) => f.community.setPinned(asOperator(f.alice), f.post, true, 3)),
  change('removeContent', [...TOKENS, ...LISTS], async ({ community, alice, post }) => {
    const subject = await community.findReportable({ postId: post });
    assert.ok(subject !== undefined);
    assert.ok(await community.removeContent(asOperator(alice, LATER), { subject, xp: 10, weight: 1 }));
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
  change('addComment and addLike', [...TOKENS, ...SUMMARIES], async ({ community, alice, bob, post }) => {
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
  change('countViews', SUMMARIES, ({ community, post }) =>
    community.countViews([{ postId: post, day: 20_000, visitor: 'somebody' }]),
  ),
  change('renameCategory', SUMMARIES, ({ community, alice }) =>
    community.renameCategory(asOperator(alice, LATER), 'general', 'Arches'),
  ),
  change('rotateSigningKey', ['signing key'], ({ oauth }) =>
    oauth.rotateSigningKey(SERVER, {
      activeKid: 'one',
      nextKid: 'two',
      following: newSigningKey('three', 'next'),
    }),
  ),
  change('saveSettings', ['settings'], ({ site, alice }) =>
    site.saveSettings(asOperator(alice, LATER), { name: 'Agora' }),
  ),
  change('the purge of expired tokens', ['access', 'personal'], async (fixture) => {
    await fixture.oauth.revokePersonalToken(SERVER, fixture.personalId);
    assert.ok(await fixture.oauth.findPersonalToken(fixture.personalKey));
    assert.ok((await purgeExpired(fixture.database, LIFETIMES, NOON + 60 * DAY, 500)) > 0);
  }),
];

const deleteSettings = sql`DELETE FROM site_settings`;
const deletePost = sql<{ id: number }>`DELETE FROM posts WHERE id = :id`;
const deleteSigningKey = sql<{ kid: string }>`DELETE FROM signing_keys WHERE kid = :kid`;

/** Changes that no function of the stores makes, or only together with others. */
export const STATEMENT_CHANGES: readonly Change[] = [
  change('the deletion of a setting', ['settings'], async (fixture) => {
    const { database, site, alice } = fixture;
    await site.saveSettings(asOperator(alice, LATER), { name: 'Agora' });
    assert.deepEqual(await site.storedSettings(), { name: 'Agora' });
    await database.atomically({ audit: NO_ENTRY, guard: deleteSettings() });
    assert.deepEqual(await site.storedSettings(), {});
    await site.saveSettings(asOperator(alice, LATER), { name: 'Stoa' });
  }),
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
  // Closing also changes the lists: see the contract.
  status: 'suspended',
  is_operator: 1,
  is_moderator: 1,
  has_factor: 1,
  member_until: LATER,
  xp: 77,
  keeps_diary: 0,
  diary_since: LATER,
  created_at: LATER,
} as const;

/** Changes to a member's row, column by column. */
export const MEMBER_CHANGES: readonly Change[] = Object.entries(COLUMNS).map(([column, value]) =>
  change(
    `the column ${column} of a member`,
    column === 'username' ? [...TOKENS, ...LISTS] : column === 'avatar' ? [...TOKENS, ...SUMMARIES] : TOKENS,
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
