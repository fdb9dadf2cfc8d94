// The HTML of posts and comments: stored with the text, and renewed without undoing an edit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextToRender } from '../../../src/community/text-store.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { NOON, newPost, publication } from '../records.ts';

const LATER = NOON + MINUTE;
const WORTH = { xp: 2, weight: 1000 };
const OLD = { html: '<p>old</p>', htmlVersion: 1 };
const NEW = { html: '<p>new</p>', htmlVersion: 2 };

const PICTURE = '/pictures/0123456789abcdef0123456789abcdef-640x480.webp';
const NONE = [undefined, undefined];

interface Texts {
  post: TextToRender;
  comment: TextToRender;
}

/** Bob's post and alice's comment on it. */
async function addTexts({ community, alice, bob }: Fixture, rendering: Partial<typeof OLD>): Promise<Texts> {
  const post = newPost(bob, { body: 'A *post*.', ...rendering });
  const postId = await community.addPost(asMember(bob), post);
  const comment = { postId, replyTo: undefined, body: 'A *comment*.', ...rendering, ...WORTH };
  const commentId = await community.addComment(asMember(alice), comment);
  return {
    post: { kind: 'post', id: postId, body: post.body },
    comment: { kind: 'comment', id: commentId ?? 0, body: comment.body },
  };
}

async function htmlOf({ community }: Fixture, { post, comment }: Texts) {
  const stored = [await community.findPost(post.id), await community.findComment(comment.id)];
  return stored.map((text) => [text?.html, text?.htmlVersion]);
}

const both = (html: string | undefined, version: number) => Array(2).fill([html, version]);

export const texts = {
  title: 'the HTML of texts',
  registerTests(open: Open): void {
    test('is stored with a new text and with each edit; an edit without HTML leaves none', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const { post, comment } = await addTexts(fixture, OLD);
      const reply = { postId: post.id, replyTo: { id: comment.id, userId: alice }, body: 'Why?', ...OLD };
      const replyId = await community.addComment(asMember(bob), { ...reply, ...WORTH });

      const first = await htmlOf(fixture, { post, comment });
      const storedReply = await community.findComment(replyId ?? 0);
      await community.editPost(asMember(bob, LATER), post.id, newPost(bob, NEW));
      await community.editComment(asMember(alice, LATER), comment.id, { body: 'Changed.', ...NEW });
      const second = await htmlOf(fixture, { post, comment });
      await community.editPost(asMember(bob, LATER), post.id, newPost(bob));
      await community.editComment(asMember(alice, LATER), comment.id, { body: 'Changed.' });

      assert.deepEqual(first, both('<p>old</p>', 1));
      assert.equal(storedReply?.html, '<p>old</p>');
      assert.deepEqual(second, both('<p>new</p>', 2));
      assert.deepEqual(await htmlOf(fixture, { post, comment }), both(undefined, 0));
    });

    test('texts without HTML of a version are listed, at most so many of each kind', async (t) => {
      const fixture = await openFixture(open, t);
      const { post, comment } = await addTexts(fixture, {});
      await addTexts(fixture, OLD);

      assert.deepEqual(await fixture.community.textsToRender(1, 10), [post, comment]);
      assert.equal((await fixture.community.textsToRender(2, 10)).length, 4);
      assert.deepEqual(await fixture.community.textsToRender(2, 1), [post, comment]);
    });

    test('is renewed, by several at once too, and never by an older version', async (t) => {
      const fixture = await openFixture(open, t);
      const pair = await addTexts(fixture, OLD);

      await atOnce(8, (index) => fixture.community.storeHtml(index % 2 ? pair.post : pair.comment, NEW));
      await fixture.community.storeHtml(pair.post, OLD);

      assert.deepEqual(await htmlOf(fixture, pair), both('<p>new</p>', 2));
      assert.deepEqual(await fixture.community.textsToRender(2, 10), []);
    });

    test('the first picture of a post is in the lists, also if the post is rendered later', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, bob } = fixture;
      const inLists = async () => {
        const [newest] = await community.newestPosts(1);
        const [own] = (await community.publishedPostsOf(bob, 0, 1)).items;
        return [newest?.picture, own?.picture];
      };

      const { post } = await addTexts(fixture, {});
      const before = await inLists();
      await community.storeHtml(post, { ...NEW, picture: PICTURE });
      const rendered = await inLists();
      await community.editPost(asMember(bob, LATER), post.id, newPost(bob));
      const edited = await inLists();
      await community.addPost(asMember(bob, LATER), newPost(bob, { picture: PICTURE }));

      assert.deepEqual([before, rendered, edited], [NONE, [PICTURE, PICTURE], NONE]);
      assert.deepEqual(await inLists(), [PICTURE, PICTURE]);
    });

    test('an edit in the meantime wins', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob } = fixture;
      const pair = await addTexts(fixture, {});
      await community.editPost(asMember(bob, LATER), pair.post.id, newPost(bob, { body: 'Other.' }));
      await community.editComment(asMember(alice, LATER), pair.comment.id, { body: 'Other.' });

      await community.storeHtml(pair.post, NEW);
      await community.storeHtml(pair.comment, NEW);

      assert.deepEqual(await htmlOf(fixture, pair), both(undefined, 0));
    });

    test('goes when the author removes the text, and is rendered anew if it is restored', async (t) => {
      const fixture = await openFixture(open, t);
      const { community, alice, bob, database } = fixture;
      const { post, comment } = await addTexts(fixture, OLD);
      const answer = { postId: post.id, replyTo: { id: comment.id, userId: alice }, body: 'True.', ...WORTH };
      await community.addComment(asMember(bob), answer);
      const stored = async () => [
        (await database.first(selectPost({ id: post.id })))?.html,
        (await database.first(selectComment({ id: comment.id })))?.html,
      ];

      await community.removeComment(asMember(alice, LATER), { ...comment, postId: post.id, ...WORTH });
      await community.removePost(asMember(bob, LATER), post.id, 10);
      const removed = await stored();
      await community.storeHtml(post, NEW);
      await community.storeHtml(comment, NEW);
      const renewed = await stored();
      await community.restorePost(asMember(bob, LATER), post.id, publication(), 0);

      assert.deepEqual([removed, renewed], [NONE, NONE]);
      assert.ok(
        (await community.textsToRender(2, 10)).some(({ kind, id }) => kind === 'post' && id === post.id),
      );
      await community.storeHtml(post, NEW);
      assert.deepEqual(await stored(), [NEW.html, undefined]);
    });

    test('of a comment goes with its text when the account is closed', async (t) => {
      const fixture = await openFixture(open, t);
      const { comment } = await addTexts(fixture, OLD);
      // Keeps the row.
      const { postId } = (await fixture.community.findComment(comment.id)) ?? assert.fail();
      const answer = {
        postId,
        replyTo: { id: comment.id, userId: fixture.alice },
        body: 'True.',
        xp: 2,
        weight: 1,
      };
      await fixture.community.addComment(asMember(fixture.bob), answer);

      await fixture.identity.closeAccount({ kind: 'server', at: LATER }, fixture.alice);

      const [row] = await fixture.database.rows(selectComment({ id: comment.id }));
      assert.deepEqual([row?.body, row?.html], ['', undefined]);
    });
  },
};

const selectComment = sql<{ id: number }, { body: string; html: string | undefined }>`
  SELECT body, html FROM comments WHERE id = :id`;

const selectPost = sql<{ id: number }, { html: string | undefined }>`
  SELECT html FROM posts WHERE id = :id`;
