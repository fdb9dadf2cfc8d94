// The search: the words that posts are found by, and their index.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostQuery } from '../../../src/community/search-store.ts';
import type { CommunityStore } from '../../../src/community/store.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { phrasesOf } from '../../../src/lib/words.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { setWordsIfPublished } from '../../../src/storage/community/post-words.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { atOnce, type Open, openFixture } from '../fixture.ts';
import { AS_DRAFT, LIFETIMES, NOON, newPost, publication, textOf } from '../records.ts';
import { checkIndex } from '../search-index.ts';

const LATER = NOON + MINUTE;

async function titlesFound(
  community: CommunityStore,
  query: string,
  below = Number.MAX_SAFE_INTEGER,
  limit = 20,
) {
  const bounds = { below, most: limit, enough: limit };
  const { ids } = await community.postIdsWith({ phrases: phrasesOf(query) }, bounds);
  return (await community.postsByIds(ids)).map(({ title }) => title);
}

const insertWithId = sql<{ id: number; userId: number; title: string; body: string }>`
  INSERT INTO posts (id, user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at)
  VALUES (:id, :userId, :title, :body, '', 1, 'published', 1, 1, 1)`;

const selectPostsWithWords = sql<void, { post_id: number }>`SELECT post_id FROM post_words`;

export const search = {
  title: 'search',
  registerTests(open: Open): void {
    test('a removed post is deleted, with its words, when it can no longer be restored', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const gone = await community.addPost(asMember(bob), newPost(bob, textOf('Gone vault')));
      const stays = await community.addPost(asMember(bob), newPost(bob, textOf('Stays vault')));
      await community.removePost(asMember(bob), gone, 10);

      const before = await purgeExpired(database, LIFETIMES, NOON + 30 * DAY, 500);
      const after = await purgeExpired(database, LIFETIMES, NOON + 30 * DAY + HOUR, 500);

      assert.deepEqual([before, after], [0, 1]);
      assert.equal(await community.findPost(gone), undefined);
      assert.notEqual(await community.findPost(stays), undefined);
      assert.deepEqual(await titlesFound(community, 'vault'), ['Stays vault']);
      await checkIndex(database);
      const rows = await database.rows(selectPostsWithWords());
      assert.deepEqual(
        rows.map(({ post_id }) => post_id),
        [stays],
      );
    });

    test('the posts of a closed account are not found, and their words are deleted in small steps', async (t) => {
      const { community, identity, database, alice, bob } = await openFixture(open, t);
      for (let number = 1; number <= 12; number += 1) {
        await community.addPost(asMember(bob), newPost(bob, textOf(`Vault ${number}`)));
      }
      await community.addPost(asMember(alice), newPost(alice, textOf('Vault of alice')));

      await identity.closeAccount(asMember(bob, LATER), bob);

      assert.deepEqual(await titlesFound(community, 'vault'), ['Vault of alice']);
      assert.equal((await database.rows(selectPostsWithWords())).length, 13);
      const steps = [];
      for (let step = 0; step < 4; step += 1) {
        steps.push(await purgeExpired(database, LIFETIMES, LATER + MINUTE, 500));
      }
      // The first two also remove posts.
      assert.deepEqual(steps, [6, 6, 2, 0]);
      assert.deepEqual(await titlesFound(community, 'vault'), ['Vault of alice']);
      assert.equal((await database.rows(selectPostsWithWords())).length, 1);
      await checkIndex(database);
    });

    test('a published post is found by all its words, newest first, in pages', async (t) => {
      const { community, bob } = await openFixture(open, t);
      for (const [title, body] of [
        ['On arches', 'An arch never sleeps.'],
        ['拱门的历史', '上海的石库门很有名。'],
        ['Café culture', 'Sleeping arches — of Shanghai 上海, v2.0 & more'],
      ] as const) {
        await community.addPost(asMember(bob), newPost(bob, textOf(title, body)));
      }
      await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, ...textOf('Arches in a draft') }));
      const removed = await community.addPost(asMember(bob), newPost(bob, textOf('Arches removed')));
      await community.removePost(asMember(bob, LATER), removed, 10);

      assert.deepEqual(await titlesFound(community, 'arches'), ['Café culture', 'On arches']);
      assert.deepEqual(await titlesFound(community, 'arches', 3), ['On arches']);
      assert.deepEqual(await titlesFound(community, 'arches', 99, 1), ['Café culture']);
      assert.deepEqual(await titlesFound(community, 'ARCH sleep'), ['Café culture', 'On arches']);
      assert.deepEqual(await titlesFound(community, 'cafe\u0301'), ['Café culture']);
      assert.deepEqual(await titlesFound(community, '上海'), ['Café culture', '拱门的历史']);
      assert.deepEqual(await titlesFound(community, '海上'), []);
      assert.deepEqual(await titlesFound(community, '石库门 历史'), ['拱门的历史']);
      assert.deepEqual(await titlesFound(community, 'shanghai v2'), ['Café culture']);
      assert.deepEqual(await titlesFound(community, 'arches nowhere'), []);
      const { words } = textOf('Arches removed');
      await community.restorePost(asMember(bob, LATER), removed, publication({ words }), NOON);
      assert.deepEqual(await titlesFound(community, 'removed'), ['Arches removed']);
    });

    test('posts are found however many others lie between them', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const ids = [3, 510, 511, 512, 600, 4_607, 4_608, 40_000, 300_000, 2_000_000];
      const row = newPost(bob);
      for (const id of ids) {
        await database.atomically({
          audit: NO_ENTRY,
          guard: insertWithId({ id, userId: bob, title: `${id}`, body: row.body }),
          effects: [setWordsIfPublished({ id, words: 'on arches' })],
        });
      }
      const titles = ids.map((id) => `${id}`).reverse();

      assert.deepEqual(await titlesFound(community, 'arches'), titles);
      assert.deepEqual(await titlesFound(community, 'arches', 600), titles.slice(6));
      assert.deepEqual(await titlesFound(community, 'arches', 512, 1), ['511']);
      assert.deepEqual(await titlesFound(community, 'arches', 3_000_000, 4), titles.slice(0, 4));
      assert.deepEqual(await titlesFound(community, 'arches', 3), []);
    });

    test('a search is limited to an author, a category and a language, and ends with enough posts', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      const { id: categoryId } = await community.ensureCategory(SERVER, 'craft', 'Craft', 100);
      for (const [author, more] of [
        [bob, { language: 'en' }],
        [bob, { language: 'en', categoryId }],
        [alice, { language: 'zh', categoryId }],
      ] as const) {
        await community.addPost(asMember(author), { ...newPost(author, textOf('On arches')), ...more });
      }
      const idsWith = async (more: Partial<PostQuery>, bounds = { below: 1e9, most: 9, enough: 9 }) => {
        const { ids, searchedFrom } = await community.postIdsWith({ phrases: [['arches']], ...more }, bounds);
        return [ids, searchedFrom];
      };

      assert.deepEqual(await idsWith({}), [[3, 2, 1], 0]);
      assert.deepEqual(await idsWith({ authorId: bob }), [[2, 1], 0]);
      assert.deepEqual(await idsWith({ authorId: bob, categoryId }), [[2], 0]);
      assert.deepEqual(await idsWith({ categoryId }), [[3, 2], 0]);
      assert.deepEqual(await idsWith({ language: 'en' }), [[2, 1], 0]);
      assert.deepEqual(await idsWith({ language: 'other' }), [[], 0]);
      assert.deepEqual(await idsWith({}, { below: 1e9, most: 2, enough: 2 }), [[3, 2], 2]);
      assert.deepEqual(await idsWith({ authorId: bob }, { below: 2, most: 2, enough: 2 }), [[1], 0]);
    });

    test('the last word of a search can be the beginning of others', async (t) => {
      const { community, bob } = await openFixture(open, t);
      for (const title of ['Bread', 'Breakfast rolls', 'Rolls', 'Zbread']) {
        await community.addPost(asMember(bob), newPost(bob, textOf(title)));
      }
      const idsWith = async (...phrases: string[][]) =>
        (await community.postIdsWith({ phrases, isCompleted: true }, { below: 1e9, most: 9, enough: 9 })).ids;

      assert.deepEqual(await idsWith(['brea']), [2, 1]);
      assert.deepEqual(await idsWith(['roll'], ['brea']), [2]);
      assert.deepEqual(await idsWith(['brea'], ['xyz']), []);
    });

    test('the posts of an author are found also where there are many, in the order of their ids', async (t) => {
      const { community, database, alice, bob } = await openFixture(open, t);
      const post = { body: 'Stone.', title: 'On arches' };
      for (let id = 1; id <= 450; id += 1) {
        const userId = id % 450 === 0 ? alice : bob;
        const words = id % 150 === 0 ? 'arches' : 'domes';
        const effects = [setWordsIfPublished({ id, words })];
        await database.atomically({ audit: NO_ENTRY, guard: insertWithId({ ...post, id, userId }), effects });
      }

      const search = { phrases: [['arches']], authorId: bob };
      const { ids } = await community.postIdsWith(search, { below: 1e9, most: 9, enough: 9 });

      assert.deepEqual(ids, [300, 150]);
    });

    test('no query is taken for the database’s own search syntax', async (t) => {
      const { community, bob } = await openFixture(open, t);
      await community.addPost(asMember(bob), newPost(bob, textOf('Not near or and', 'words : plain')));

      for (const [query, titles] of [
        ['NOT', ['Not near or and']],
        ['near OR and', ['Not near or and']],
        ['"words" AND (plain)', ['Not near or and']],
        [`plain' | 'x`, []],
        ['words:*', ['Not near or and']],
        ['wor*', []],
        ['\u0e35', []],
      ] as const) {
        assert.deepEqual(await titlesFound(community, query), titles, query);
      }
    });

    test('a post is found by its current words only', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      const published = await community.addPost(asMember(bob), newPost(bob, textOf('On vaults')));
      const draft = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, ...textOf('Early') }));

      await community.editPost(asMember(bob, LATER), published, textOf('On domes'));
      await community.editPost(asMember(bob, LATER), published, textOf('Nobody’s', 'vaults'), NOON);
      await community.saveDraft(asMember(bob, LATER), draft, textOf('Late'));
      const late = publication({ version: LATER, words: textOf('Late').words });
      assert.ok(await community.publishDraft(asMember(bob, LATER), draft, late));

      await checkIndex(database);
      assert.deepEqual(await titlesFound(community, 'vaults'), []);
      assert.deepEqual(await titlesFound(community, 'early'), []);
      assert.deepEqual(await titlesFound(community, 'domes'), ['On domes']);
      assert.deepEqual(await titlesFound(community, 'late'), ['Late']);
    });

    test('only published posts are in the index: not drafts, and not removed posts until they are restored', async (t) => {
      const { community, database, imports, alice, bob } = await openFixture(open, t);
      const byBob = asMember(bob, LATER);
      const hasWords = async (...ids: number[]) => {
        const rows = await database.rows(selectPostsWithWords());
        await checkIndex(database);
        return ids.map((id) => rows.some(({ post_id }) => post_id === id));
      };
      const draft = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      const post = await community.addPost(asMember(bob), newPost(bob));
      await imports.addImportedPosts('x', [
        { ...newPost(bob, AS_DRAFT), externalId: '1', at: NOON, views: 0 },
      ]);
      assert.deepEqual(await hasWords(draft, post), [false, true]);
      assert.equal((await database.rows(selectPostsWithWords())).length, 1);

      await community.saveDraft(byBob, draft, textOf('Early'));
      await community.editPost(byBob, draft, textOf('Late'));
      assert.deepEqual(await hasWords(draft), [false]);
      assert.ok(await community.publishDraft(byBob, draft, publication({ version: LATER + 1 })));
      assert.deepEqual(await hasWords(draft), [true]);

      for (const id of [draft, post]) await community.removePost(byBob, id, 10);
      assert.deepEqual(await hasWords(draft, post), [false, false]);
      assert.ok(await community.restorePost(byBob, post, publication(), NOON));
      assert.deepEqual(await hasWords(draft, post), [false, true]);

      const subject = await community.findReportable({ postId: post });
      assert.ok(subject);
      await community.removeContent(asOperator(alice, LATER), { subject, xp: 10, weight: 1 });
      assert.deepEqual(await hasWords(draft, post), [false, false]);

      const begun = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      await community.removePost(byBob, begun, 10);
      assert.ok(await community.restorePost(byBob, begun, publication(), NOON));
      assert.deepEqual(await hasWords(begun), [false]);
    });

    test('a text that was changed meanwhile is neither published nor restored with the words of an earlier one', async (t) => {
      const { community, bob } = await openFixture(open, t);
      const byBob = asMember(bob, LATER);
      const draft = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      const post = await community.addPost(asMember(bob), newPost(bob));
      await community.saveDraft(byBob, draft, textOf('Late'));
      await community.editPost(byBob, post, textOf('Late'));
      await community.removePost(byBob, post, 10);

      assert.equal(await community.publishDraft(byBob, draft, publication()), false);
      assert.equal(await community.restorePost(byBob, post, publication(), NOON), false);
      assert.equal((await community.findPost(draft))?.status, 'draft');
      assert.deepEqual(await titlesFound(community, 'late'), []);
    });

    test('posts that are written at once are each found by their own words', async (t) => {
      const { community, alice, bob } = await openFixture(open, t);
      await atOnce(40, (index) =>
        community.addPost(
          asMember(index % 2 === 0 ? bob : alice),
          newPost(index % 2 === 0 ? bob : alice, textOf(`Title${index}`)),
        ),
      );

      for (let index = 0; index < 40; index += 1) {
        assert.deepEqual(await titlesFound(community, `title${index}`), [`Title${index}`]);
      }
    });
  },
};
