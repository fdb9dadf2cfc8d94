// Posts related to another, and the newest comments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMember, SERVER } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, NOON, newPost } from '../records.ts';

const WORTH = { xp: 2, weight: 1000 };

export const related = {
  title: 'related posts and new comments',
  registerTests(open: Open): void {
    test('posts that share more tags come first, then newer ones, and none that is hidden', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const { id: craft } = await community.ensureCategory(SERVER, 'craft', 'Craft', 100);
      let at = NOON;
      const add = (title: string, tags: string, more = {}) =>
        community.addPost(asMember(bob, ++at), newPost(bob, { title, tags, ...more }));
      await add('two', '["a","b"]');
      await add('old', '["a"]');
      await add('new', '["b","c"]', { categoryId: craft });
      const gone = await add('gone', '["a","b"]');
      await add('draft', '["a","b"]', AS_DRAFT);
      await add('none', '[]');
      const post = await add('post', '["a","b"]');
      await community.removePost(asMember(bob, at + 1), gone, 10);

      const sharing = await community.postsSharingTags(post, 9);
      const first = await community.postsSharingTags(post, 1);
      const beside = await community.newestInCategory('general', 3);

      assert.deepEqual(
        sharing.map(({ title, authorName }) => [title, authorName]),
        [
          ['two', 'bob'],
          ['new', 'bob'],
          ['old', 'bob'],
        ],
      );
      assert.deepEqual(
        first.map(({ title }) => title),
        ['two'],
      );
      assert.deepEqual(
        beside.map(({ title }) => title),
        ['post', 'none', 'old'],
      );
      assert.deepEqual(await community.postsSharingTags(999, 9), []);
    });

    test('sizes of texts are those of published posts, in bytes, of the Markdown before it is rendered', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const add = (body: string, more = {}) =>
        community.addPost(asMember(bob), newPost(bob, { body, ...more })) as Promise<number>;
      const plain = await add('面包');
      const rendered = await add('*', { html: '<p>*</p>', htmlVersion: 1 });
      const draft = await add('draft', AS_DRAFT);
      const other = await add('other');
      const gone = await add('gone');
      await community.removePost(asMember(bob), gone, 10);

      const sizes = await community.postSizes([rendered, draft, gone, plain, 999]);

      const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]));
      assert.deepEqual([bytesOf.size, bytesOf.get(plain), bytesOf.get(rendered)], [2, 6, 8]);
      assert.ok(!bytesOf.has(other));
      assert.deepEqual(await community.postSizes([]), []);
    });

    test('the newest comments leave out removed ones, waiting ones, and those on removed posts', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const [one, two, gone] = [
        await community.addPost(asMember(bob), newPost(bob, { title: 'One' })),
        await community.addPost(asMember(bob), newPost(bob, { title: 'Two' })),
        await community.addPost(asMember(bob), newPost(bob)),
      ];
      const say = (postId: number, body: string, more = {}) =>
        community.addComment(asMember(alice), {
          postId,
          body,
          replyTo: undefined,
          isWaiting: false,
          ...WORTH,
          ...more,
        });
      const first = await say(one, 'first');
      const removed = await say(one, 'removed');
      const second = await say(two, 'second');
      await say(two, 'waiting', { isWaiting: true });
      await say(gone, 'on a removed post');
      const third = await say(one, 'third');
      await community.removeComment(asMember(alice), { id: removed ?? 0, postId: one, ...WORTH });
      await community.removePost(asMember(bob), gone, 10);

      const newest = await community.newestComments(9);
      const onPost = await community.newestCommentsOn(one, 9);

      assert.deepEqual(
        newest.map(({ id, bytes, authorName, postTitle }) => [id, bytes, authorName, postTitle]),
        [
          [third, 5, 'alice', 'One'],
          [second, 6, 'alice', 'Two'],
          [first, 5, 'alice', 'One'],
        ],
      );
      assert.deepEqual(
        onPost.map(({ id }) => id),
        [third, first],
      );
      assert.equal((await community.newestComments(1)).length, 1);
      assert.ok([...newest, ...onPost].every((comment) => !('body' in comment || 'html' in comment)));
      assert.deepEqual(await community.newestCommentsOn(gone, 9), []);
    });
  },
};
