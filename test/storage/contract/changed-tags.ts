// Tags that operators rename, merge and hide.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../../src/community/feed.ts';
import type { Tag } from '../../../src/community/tag.ts';
import { movePostsOfMergedTag } from '../../../src/storage/community/tag-changes.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, asModerator, asOperator } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { LIFETIMES, NOON, newPost, textOf } from '../records.ts';

type Community = Fixture['community'];

/** The tags with their counts, and the titles of the posts under each. */
async function tagsOf(community: Community): Promise<string[]> {
  const lines = [];
  for (const { id, name, postCount } of await community.mostUsedTags(20)) {
    const posts = await community.postsWithTag(id, BEGINNING, 1000);
    lines.push(`${name} ${postCount}: ${posts.map(({ title }) => title).join(', ')}`);
  }
  return lines;
}

async function tagNamed(community: Community, name: string): Promise<Tag> {
  const tag = await community.findTag(name);
  assert.ok(tag, name);
  return tag;
}

async function changedOf(community: Community): Promise<[string, string | undefined][]> {
  const changed = await community.changedTags(9);
  return changed.map(({ name, shownAs }): [string, string | undefined] => [name, shownAs]).toSorted();
}

export const changedTags = {
  title: 'changed tags',
  registerTests(open: Open): void {
    test('a renamed tag keeps its posts and followers, and its earlier name finds it, also for new posts', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const by = asOperator(alice, NOON);
      const id = await community.addPost(asMember(bob), newPost(bob, { title: 'A', tags: '["js","oven"]' }));
      const tag = await tagNamed(community, 'js');
      await community.follow(asMember(alice), { tagId: tag.id }, 9);

      const renamed = await community.renameTag(by, tag, 'javascript', false);
      const again = await community.renameTag(by, tag, 'ecmascript', false);
      const taken = await community.renameTag(by, { ...tag, name: 'javascript' }, 'oven', false);
      await community.addPost(asMember(bob), newPost(bob, { title: 'B', tags: '["js","javascript"]' }));
      await community.editPost(asMember(bob), id, { ...textOf('A'), tags: '["js"]' });

      assert.deepEqual([renamed, again, taken], [true, false, false]);
      assert.deepEqual(await tagsOf(community), ['javascript 2: B, A']);
      assert.equal((await tagNamed(community, 'js')).name, 'javascript');
      assert.deepEqual(await changedOf(community), [['js', 'javascript']]);
      assert.deepEqual(
        (await community.followedTags(alice)).map(({ name }) => name),
        ['javascript'],
      );
      assert.deepEqual(
        (await community.tagsBeginning('j', 9)).map(({ name }) => name),
        ['javascript'],
      );
    });

    test('a tag can get an earlier name back, and a name that another tag had leads to that one', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const by = asOperator(alice, NOON);
      await community.addPost(asMember(bob), newPost(bob, { title: 'A', tags: '["js"]' }));
      const tag = await tagNamed(community, 'js');
      await community.renameTag(by, tag, 'javascript', false);

      const isBack = await community.renameTag(by, { ...tag, name: 'javascript' }, 'js', true);
      const isStale = await community.renameTag(by, { ...tag, name: 'javascript' }, 'js', true);

      assert.deepEqual([isBack, isStale], [true, false]);
      assert.deepEqual(await changedOf(community), [['javascript', 'js']]);
      assert.deepEqual(await tagsOf(community), ['js 1: A']);
    });

    test('a merged tag gives its posts and followers to the other one in steps, each counted once', async (t) => {
      const { community, database, alice, bob } = await openFixture(open, t);
      const by = asOperator(alice, NOON);
      const add = (tags: string, at: number) =>
        community.addPost(asMember(bob, at), newPost(bob, { title: `${at - NOON}`, tags }));
      await add('["a","b"]', NOON);
      for (let index = 1; index <= 350; index += 1) await add('["a"]', NOON + index);
      await add('["b","early-a"]', NOON + 400);
      const [a, b] = [await tagNamed(community, 'a'), await tagNamed(community, 'b')];
      await community.renameTag(by, await tagNamed(community, 'early-a'), 'c', false);
      await community.mergeTag(by, await tagNamed(community, 'c'), a);
      await community.follow(asMember(alice), { tagId: a.id }, 9);
      await community.follow(asMember(alice), { tagId: b.id }, 9);
      await community.follow(asMember(bob), { tagId: a.id }, 9);

      const isMerged = await community.mergeTag(by, a, b);
      const [first] = await tagsOf(community);
      let steps = 0;
      while ((await movePostsOfMergedTag(database)) > 0) steps += 1;

      assert.equal(isMerged, true);
      // Before the step there were two posts, and one of the newest 300 has both tags.
      assert.match(first ?? '', /^b 301: 400, 350, 349,/);
      assert.equal(steps, 1);
      const [line = '', ...others] = await tagsOf(community);
      assert.match(line, /^b 352: 400, 350, .* 1, 0$/);
      assert.deepEqual(others, []);
      assert.deepEqual(await changedOf(community), [
        ['a', 'b'],
        ['c', 'b'],
        ['early-a', 'b'],
      ]);
      for (const member of [alice, bob]) {
        const followed = await community.followedTags(member);
        assert.deepEqual(
          followed.map(({ name }) => name),
          ['b'],
        );
      }
    });

    test('of two tags that are merged into each other at once, one stays', async (t) => {
      const { community, database, alice, bob } = await openFixture(open, t);
      const by = asOperator(alice, NOON);
      await community.addPost(asMember(bob), newPost(bob, { title: 'A', tags: '["a","b"]' }));
      const [a, b] = [await tagNamed(community, 'a'), await tagNamed(community, 'b')];

      const merged = await atOnce(8, (index) =>
        index % 2 === 0 ? community.mergeTag(by, a, b) : community.mergeTag(by, b, a),
      );
      while ((await movePostsOfMergedTag(database)) > 0);

      assert.equal(merged.filter(Boolean).length, 1);
      assert.equal(await community.mergeTag(by, a, a), false);
      assert.equal((await tagsOf(community)).length, 1);
      assert.match((await tagsOf(community))[0] ?? '', /^[ab] 1: A$/);
    });

    test('posts that get a tag while it is merged are under the other one', async (t) => {
      const { community, database, alice, bob } = await openFixture(open, t);
      await community.addPost(asMember(bob), newPost(bob, { title: 'first', tags: '["a"]' }));
      await community.addPost(asMember(bob), newPost(bob, { title: 'other', tags: '["b"]' }));
      const [a, b] = [await tagNamed(community, 'a'), await tagNamed(community, 'b')];

      await atOnce(12, async (index) => {
        if (index === 5) await community.mergeTag(asOperator(alice, NOON), a, b);
        else await community.addPost(asMember(bob), newPost(bob, { title: `${index}`, tags: '["a"]' }));
      });
      while ((await movePostsOfMergedTag(database)) > 0);

      const tags = await community.mostUsedTags(9);
      assert.deepEqual(
        tags.map(({ name, postCount }) => [name, postCount]),
        [['b', 13]],
      );
      assert.equal((await community.postsWithTag(b.id, BEGINNING, 99)).length, 13);
    });

    test('a hidden tag is in no list of tags until it is shown again, and its posts stay', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const by = asModerator(alice, NOON + 5);
      const id = await community.addPost(asMember(bob), newPost(bob, { title: 'A', tags: '["a","rude"]' }));
      const tag = await tagNamed(community, 'rude');
      await community.follow(asMember(alice), { tagId: tag.id }, 9);

      const hidden = [await community.hideTag(by, tag), await community.hideTag(by, tag)];
      const listed = await tagsOf(community);
      await community.editPost(asMember(bob), id, { ...textOf('B'), tags: '["a","rude"]' });

      assert.deepEqual(hidden, [true, false]);
      assert.deepEqual(listed, ['a 1: A']);
      assert.deepEqual(await community.tagNamesBetween(1, 99), ['a']);
      assert.deepEqual(await changedOf(community), [['rude', undefined]]);
      assert.equal((await tagNamed(community, 'rude')).hiddenAt, NOON + 5);
      assert.equal((await community.followedTags(alice))[0]?.postCount, 0);
      assert.deepEqual(
        (await community.tagsBeginning('rude', 9)).map(({ name, postCount }) => [name, postCount]),
        [['rude', 1]],
      );
      assert.deepEqual([await community.showTag(by, tag), await community.showTag(by, tag)], [true, false]);
      assert.deepEqual(await tagsOf(community), ['a 1: B', 'rude 1: B']);
      assert.deepEqual(await community.changedTags(9), []);
    });

    test('the purge moves the posts of merged tags, and keeps hidden tags and earlier names', async (t) => {
      const { community, database, alice, bob } = await openFixture(open, t);
      const by = asOperator(alice, NOON);
      const id = await community.addPost(
        asMember(bob),
        newPost(bob, { title: 'A', tags: '["a","b","c","d"]' }),
      );
      await community.renameTag(by, await tagNamed(community, 'a'), 'new', false);
      await community.hideTag(by, await tagNamed(community, 'c'));
      await community.mergeTag(by, await tagNamed(community, 'd'), await tagNamed(community, 'b'));

      await community.editPost(asMember(bob), id, { ...textOf('A'), tags: '[]' });
      while ((await purgeExpired(database, LIFETIMES, NOON, 500)) > 0);

      assert.deepEqual(await changedOf(community), [
        ['a', 'new'],
        ['c', undefined],
        ['d', 'b'],
      ]);
    });

    test('each change is in the audit log, and one that was refused is not', async (t) => {
      const { community, audit, alice, bob } = await openFixture(open, t);
      const by = asOperator(alice, NOON);
      await community.addPost(asMember(bob), newPost(bob, { tags: '["a","b"]' }));
      const [a, b] = [await tagNamed(community, 'a'), await tagNamed(community, 'b')];

      await community.renameTag(by, a, 'b', false);
      await community.renameTag(by, a, 'c', false);
      await community.hideTag(by, { ...a, name: 'c' });
      await community.showTag(by, { ...a, name: 'c' });
      await community.showTag(by, { ...a, name: 'c' });
      await community.mergeTag(by, { ...a, name: 'c' }, b);

      const events = await audit.auditEvents({ limit: 9 });
      assert.deepEqual(
        events.map(({ action, subject, detail }) => [action, subject.kind, subject.id, detail]),
        [
          ['tag.merge', 'tag', 'c', { into: 'b' }],
          ['tag.show', 'tag', 'c', {}],
          ['tag.hide', 'tag', 'c', {}],
          ['tag.rename', 'tag', 'a', { name: 'c' }],
        ],
      );
    });
  },
};
