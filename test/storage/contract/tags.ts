// Tags: a published post is listed under each of its tags, and each tag counts its published posts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../../src/community/feed.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, asModerator, SERVER } from '../doers.ts';
import { atOnce, type Fixture, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, LIFETIMES, NOON, newPost, publication, textOf } from '../records.ts';

const TAGS = '["bread","面包"]';

/** Return the tags with their counts, and the titles of the posts under each, as `bread 2: B, A`. */
async function tagsOf({ community }: Pick<Fixture, 'community'>): Promise<string[]> {
  const lines = [];
  for (const { id, name, postCount } of await community.mostUsedTags(20)) {
    const posts = await community.postsWithTag(id, BEGINNING, 20);
    lines.push(`${name} ${postCount}: ${posts.map(({ title }) => title).join(', ')}`);
  }
  return lines;
}

export const tags = {
  title: 'tags',
  registerTests(open: Open): void {
    test('a tag lists its published posts, newest first, page by page', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      for (const [title, author, at] of [
        ['A', bob, NOON],
        ['B', alice, NOON + 2],
        ['C', bob, NOON + 1],
      ] as const) {
        await community.addPost(asMember(author, at), newPost(author, { title, tags: TAGS }));
      }
      await community.addPost(asMember(bob), newPost(bob, { title: 'D', tags: '["bread"]' }));
      await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, tags: '["draft"]' }));
      await community.addPost(asMember(bob), newPost(bob));

      const bread = await community.findTag('bread');
      const first = await community.postsWithTag(bread?.id ?? 0, BEGINNING, 3);
      const rest = await community.postsWithTag(bread?.id ?? 0, { at: NOON, id: first[2]?.id ?? 0 }, 3);

      assert.deepEqual(await tagsOf({ community }), ['bread 4: B, C, D, A', '面包 3: B, C, A']);
      assert.deepEqual(
        [...first, ...rest].map(({ title, tags }) => [title, tags]),
        [
          ['B', TAGS],
          ['C', TAGS],
          ['D', '["bread"]'],
          ['A', TAGS],
        ],
      );
      assert.deepEqual(
        [await community.findTag('draft'), await community.findTag('Bread')],
        [undefined, undefined],
      );
    });

    test('the tags of a draft count from its publication, and those of an edited post change', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const by = asMember(bob);
      const id = await community.addPost(by, newPost(bob, { title: 'A', ...AS_DRAFT, tags: '["a","b"]' }));

      const version = await community.saveDraft(by, id, { ...textOf('A'), tags: '["b","c"]' });
      const ofDraft = await tagsOf({ community });
      await community.publishDraft(by, id, publication({ version: version ?? 0 }));
      const published = await tagsOf({ community });
      await community.editPost(by, id, { ...textOf('A'), tags: '["c","d"]' });
      const edited = await tagsOf({ community });
      await community.editPost(by, id, textOf('B'));

      assert.deepEqual(ofDraft, []);
      assert.deepEqual(published, ['b 1: A', 'c 1: A']);
      assert.deepEqual(edited, ['c 1: A', 'd 1: A']);
      assert.deepEqual(await tagsOf({ community }), ['c 1: B', 'd 1: B']);
    });

    test('the posts of a tag are listed by popularity and in a language, page by page', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const add = async (title: string, language: 'en' | 'zh', at: number) => {
        const post = newPost(bob, { title, language, tags: TAGS });
        return community.addPost(asMember(bob, at), post);
      };
      const old = await add('old', 'en', NOON);
      await add('zh', 'zh', NOON + 1);
      const young = await add('young', 'en', NOON + 2);
      await community.addLike(asMember(alice), { postId: old, xp: 2, weight: 1000 });
      const tagId = (await community.findTag('bread'))?.id ?? 0;
      const titles = (posts: readonly { title: string }[]) => posts.map(({ title }) => title);

      const popular = await community.popularWithTag(tagId, BEGINNING, 9);
      const after = { at: popular[0]?.popularity ?? 0, id: old };
      await community.editPost(asMember(bob), young, { ...textOf('young'), language: 'zh' });

      assert.deepEqual(titles(popular), ['old', 'young', 'zh']);
      assert.deepEqual(titles(await community.popularWithTag(tagId, after, 1)), ['young']);
      assert.deepEqual(titles(await community.popularWithTag(tagId, BEGINNING, 9, 'zh')), ['young', 'zh']);
      assert.deepEqual(titles(await community.postsWithTag(tagId, BEGINNING, 9, 'zh')), ['young', 'zh']);
      assert.deepEqual(titles(await community.postsWithTag(tagId, { at: NOON + 2, id: young }, 9, 'zh')), [
        'zh',
      ]);
      assert.deepEqual(titles(await community.postsWithTag(tagId, BEGINNING, 9, 'en')), ['old']);
      assert.deepEqual(await community.postsWithTag(tagId, BEGINNING, 9, 'other'), []);
    });

    test('a language that is guessed later is that of the post in the lists of its tags too', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob, { tags: '["a"]' }));
      const { body = '' } = (await community.findPost(id)) ?? {};
      const tagId = (await community.findTag('a'))?.id ?? 0;

      await community.storeHtml(
        { kind: 'post', id, body },
        {
          html: '<p>…</p>',
          htmlVersion: 99,
          excerpt: '…',
          language: 'zh',
          readingMinutes: 1,
          picture: undefined,
        },
      );

      assert.equal((await community.postsWithTag(tagId, BEGINNING, 9, 'zh')).length, 1);
    });

    test('the names of tags that posts have are read by ranges of ids', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const none = await community.lastTagId();
      const id = await community.addPost(asMember(bob), newPost(bob, { tags: '["a","b","c"]' }));
      const last = await community.lastTagId();

      await community.editPost(asMember(bob), id, { ...textOf('A'), tags: '["a","c"]' });

      assert.equal(none, 0);
      assert.deepEqual(await community.tagNamesBetween(1, last), ['a', 'c']);
      assert.deepEqual(await community.tagNamesBetween(last, last), ['c']);
      assert.deepEqual(await community.tagNamesBetween(last + 1, last + 9), []);
    });

    test('a removed post counts under no tag, until it is restored', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const by = asMember(bob);
      const own = await community.addPost(by, newPost(bob, { title: 'A', tags: TAGS }));
      const other = await community.addPost(by, newPost(bob, { title: 'B', tags: '["bread"]' }));
      const subject = await community.findReportable({ postId: other });
      assert.ok(subject);

      await community.removePost(by, own, 10);
      const afterOwn = await tagsOf({ community });
      await community.removeContent(asModerator(alice), { subject, xp: 10, weight: 0, reason: 'Off topic' });
      const afterBoth = await tagsOf({ community });
      await community.restorePost(by, own, publication(), NOON - 1);
      await community.undoRemovalOfPost(asModerator(alice), subject, publication());

      assert.deepEqual(afterOwn, ['bread 1: B']);
      assert.deepEqual(afterBoth, []);
      assert.deepEqual(await tagsOf({ community }), ['bread 2: B, A', '面包 1: A']);
    });

    test('an approved post gets its tags, and an imported one too', async (t) => {
      const { community, imports, alice, bob } = await openFixture(open, t);
      const by = asMember(bob);
      const id = await community.addPost(by, newPost(bob, { title: 'A', ...AS_DRAFT, tags: '["a"]' }));
      await community.submitPost(by, id, NOON);
      const waiting = await tagsOf({ community });

      await community.approvePost(asModerator(alice), id, bob, publication());
      const post = newPost(bob, { title: 'B', tags: '["a","b"]' });
      await imports.addImportedPosts('old site', [
        { ...post, externalId: '1', views: 3, at: NOON + 1 },
        { ...post, ...AS_DRAFT, externalId: '2', views: 0, at: NOON },
      ]);

      assert.deepEqual(waiting, []);
      assert.deepEqual(await tagsOf({ community }), ['a 2: B, A', 'b 1: B']);
    });

    test('closing an account takes its posts from all tags', async (t) => {
      const { community, identity, alice, bob } = await openFixture(open, t);
      for (const author of [bob, bob, alice]) {
        await community.addPost(asMember(author), newPost(author, { title: `by ${author}`, tags: TAGS }));
      }
      await community.addPost(asMember(bob), newPost(bob, { tags: '["bob"]' }));

      await identity.closeAccount(SERVER, bob);

      assert.deepEqual(await tagsOf({ community }), [`bread 1: by ${alice}`, `面包 1: by ${alice}`]);
    });

    test('of 16 posts at once with the same tags each counts', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);

      await atOnce(16, (index) => {
        const author = index % 2 === 0 ? alice : bob;
        const tags = index % 3 === 0 ? '["b","a"]' : '["a","b"]';
        return community.addPost(asMember(author), newPost(author, { tags }));
      });

      const counts = (await community.mostUsedTags(9)).map(({ name, postCount }) => [name, postCount]);
      assert.deepEqual(counts.toSorted(), [
        ['a', 16],
        ['b', 16],
      ]);
    });

    test('a tag that no published post has is deleted in time', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const by = asMember(bob);
      const id = await community.addPost(by, newPost(bob, { tags: '["kept","gone"]' }));
      await community.editPost(by, id, { ...textOf('A'), tags: '["kept"]' });
      const before = await community.findTag('gone');

      while ((await purgeExpired(database, LIFETIMES, NOON, 1)) > 0);

      assert.equal(before?.postCount, 0);
      assert.equal(await community.findTag('gone'), undefined);
      assert.deepEqual(await tagsOf({ community }), ['kept 1: A']);
    });
  },
};
