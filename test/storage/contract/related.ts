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
      await say(one, 'first');
      const removed = await say(one, 'removed');
      await say(two, 'second');
      await say(two, 'waiting', { isWaiting: true });
      await say(gone, 'on a removed post');
      await say(one, 'third');
      await community.removeComment(asMember(alice), { id: removed ?? 0, postId: one, ...WORTH });
      await community.removePost(asMember(bob), gone, 10);

      const newest = await community.newestComments(9);
      const onPost = await community.newestCommentsOn(one, 9);

      assert.deepEqual(
        newest.map(({ body, postTitle }) => [body, postTitle]),
        [
          ['third', 'One'],
          ['second', 'Two'],
          ['first', 'One'],
        ],
      );
      assert.deepEqual(
        onPost.map(({ body }) => body),
        ['third', 'first'],
      );
      assert.deepEqual((await community.newestComments(1)).length, 1);
      assert.deepEqual(await community.newestCommentsOn(gone, 9), []);
    });
  },
};
