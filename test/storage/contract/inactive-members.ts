// Members' writes ask in the same step whether the account is active: a text can be finished after a suspension.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../../src/community/feed.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { asMember, SERVER } from '../doers.ts';
import { acceptSeen, addComment, atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, NOON, newClient, newPost, publication, textOf } from '../records.ts';

const LATER = NOON + MINUTE;

interface Case extends Fixture {
  /** Written by bob. */
  post: number;
  draft: number;
  comment: number;
  /** Written by alice. */
  other: number;
}

async function openCase(open: Open, t: Parameters<Open>[0]): Promise<Case> {
  const fixture = await openFixture(open, t);
  const { community, alice, bob } = fixture;
  const other = await community.addPost(asMember(alice), newPost(alice));
  const post = await community.addPost(asMember(bob), newPost(bob));
  const draft = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
  const comment = await addComment(fixture, other, bob);
  assert.ok(other !== undefined && post !== undefined && draft !== undefined);
  return { ...fixture, post, draft, comment, other };
}

/** What bob has, and what he has added to alice's post. */
async function stateOf({ identity, community, alice, bob, other, comment }: Case) {
  const [user, posts, drafts, post, reports] = await Promise.all([
    identity.findUser(bob),
    community.publishedPostsOf(bob, 0, 50),
    community.draftsOf(bob, BEGINNING, 50),
    community.findPost(other),
    community.openReports(50),
  ]);
  const [stored] = await community.comments([comment]);
  const xpOfAlice = (await identity.findUser(alice))?.xp;
  return { user, posts, drafts, post, reports, stored, xpOfAlice };
}

/** Try everything that a member writes. */
async function writeAll({ identity, community, bob, post, draft, comment, other }: Case): Promise<unknown[]> {
  const by = asMember(bob, LATER);
  const text = textOf('Too late', 'Too late.');
  const newComment = { postId: other, body: 'Too late.', xp: 2, weight: 1 };
  await identity.setBio(by, 'Too late.');
  const version = await community.saveDraft(by, draft, text);
  return [
    version,
    await community.addPost(by, newPost(bob)),
    await community.addPost(by, newPost(bob, AS_DRAFT)),
    await community.editPost(by, post, text),
    await community.addComment(by, { ...newComment, replyTo: undefined }),
    await community.addComment(by, { ...newComment, replyTo: { id: comment, userId: bob } }),
    await community.publishDraft(by, draft, publication({ version: version ?? NOON })),
    await community.editComment(by, comment, { body: 'Too late.' }),
    await community.addLike(by, { postId: other, xp: 1, weight: 1 }),
    await community.addReport(by, { postId: other, commentId: undefined, reason: 'spam', note: '' }),
    await identity.setAvatar(by, 'aaaaaaaaaaaa', Buffer.from('picture')),
  ];
}

const REFUSED = [...Array.from({ length: 6 }, () => undefined), ...Array.from({ length: 5 }, () => false)];

export const inactiveMembers = {
  title: 'members whose accounts are not active',
  registerTests(open: Open): void {
    test('a suspended member adds and changes nothing, and a reactivated one does again', async (t) => {
      const setting = await openCase(open, t);
      const { identity, bob } = setting;
      await identity.setStatus(SERVER, bob, 'suspended');
      const before = await stateOf(setting);

      const answers = await writeAll(setting);

      assert.deepEqual(answers, REFUSED);
      assert.deepEqual(await stateOf(setting), before);
      await identity.setStatus(SERVER, bob, 'active');
      const accepted = await writeAll(setting);
      assert.ok(
        accepted.every((answer) => answer !== undefined && answer !== false),
        String(accepted),
      );
    });

    test('a suspended member changes no own application', async (t) => {
      const { identity, oauth, bob } = await openFixture(open, t);
      const settings = newClient('notebook', { name: 'Too late' });
      const change = () =>
        oauth.changeClient(asMember(bob), newClient('notebook'), settings, ['name'], 'needed');
      await identity.setStatus(SERVER, bob, 'suspended');

      assert.equal(await change(), false);
      await identity.setStatus(SERVER, bob, 'active');
      assert.equal(await change(), true);
    });

    test('a suspended member is offered an application like any other, and accepts none', async (t) => {
      const { identity, oauth, alice, bob } = await openFixture(open, t);
      const offer = () => oauth.offerClient(asMember(bob), 'notebook', alice, NOON + HOUR);
      await identity.setStatus(SERVER, alice, 'suspended');

      assert.equal(await offer(), true);
      assert.equal(await acceptSeen(oauth, asMember(alice), 'notebook', 9), false);
      await identity.setStatus(SERVER, alice, 'active');
      assert.equal(await acceptSeen(oauth, asMember(alice), 'notebook', 9), true);
      await identity.closeAccount(asMember(alice), alice);
      assert.equal(await oauth.offerClient(SERVER, 'pocket', alice, NOON + HOUR), false);
    });

    test('a member who closed the account adds, changes and restores nothing', async (t) => {
      const setting = await openCase(open, t);
      const { identity, community, bob, post } = setting;
      await identity.closeAccount(asMember(bob), bob);
      const before = await stateOf(setting);

      const answers = await writeAll(setting);

      assert.deepEqual(answers, REFUSED);
      assert.equal(await community.restorePost(asMember(bob, LATER), post, publication(), 0), false);
      assert.deepEqual(await stateOf(setting), before);
    });

    test('what a member writes while the account closes is not there afterwards', async (t) => {
      const setting = await openCase(open, t);
      const { identity, community, bob, draft, other } = setting;
      const by = asMember(bob, LATER);
      const comment = { postId: other, replyTo: undefined, body: 'Now?', xp: 2, weight: 1 };
      const removed = await atOnce(12, () => community.addPost(by, newPost(bob)));
      for (const id of removed) await community.removePost(by, id, 10);

      await Promise.all([
        atOnce(6, () => community.addPost(by, newPost(bob))),
        atOnce(6, () => community.addPost(by, newPost(bob, AS_DRAFT))),
        atOnce(6, () => community.addComment(by, comment)),
        atOnce(6, (index) =>
          community.restorePost(by, removed[index] ?? 0, publication({ version: LATER }), 0),
        ),
        identity.closeAccount(asMember(bob), bob),
        community.publishDraft(by, draft, publication()),
        atOnce(6, (index) =>
          community.restorePost(by, removed[index + 6] ?? 0, publication({ version: LATER }), 0),
        ),
        atOnce(6, () => community.addPost(by, newPost(bob))),
        atOnce(6, () => community.addPost(by, newPost(bob, AS_DRAFT))),
        atOnce(6, () => community.addComment(by, comment)),
      ]);

      const { posts, drafts, post } = await stateOf(setting);
      assert.deepEqual([posts.total, drafts.length, post?.commentCount], [0, 0, 0]);
    });
  },
};
