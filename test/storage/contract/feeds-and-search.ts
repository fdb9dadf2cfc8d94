// Drafts that are saved, posts that come back, the lists that everyone sees, and what a post is found by.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEGINNING } from '../../../src/community/feed.ts';
import { wordsOfPost } from '../../../src/community/search.ts';
import type { CommunityStore } from '../../../src/community/store.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { phrasesOf } from '../../../src/lib/words.ts';
import { NO_PERSON } from '../../../src/storage/audit/audit-trail.ts';
import { updatePopularity } from '../../../src/storage/community/popularity.ts';
import { setWords } from '../../../src/storage/community/post-words.ts';
import type { Database } from '../../../src/storage/engine/database.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { purgeExpired } from '../../../src/storage/purge/purge.ts';
import { asMember, asOperator, SERVER } from '../doers.ts';
import { atOnce, type Open, openHouse } from '../house.ts';
import { NOON, newPost } from '../records.ts';

const LATER = NOON + MINUTE;
const AS_DRAFT = { status: 'draft', xp: 0 } as const;

function written(title: string, body = 'Some words.') {
  return { title, body, excerpt: body, words: wordsOfPost(title, body), categoryId: 1 };
}

async function found(community: CommunityStore, query: string, below = Number.MAX_SAFE_INTEGER, limit = 20) {
  return (await community.postsWith(phrasesOf(query), below, limit)).map(({ title }) => title);
}

const insertNumbered = sql<{ id: number; userId: number; title: string; body: string }>`
  INSERT INTO posts (id, user_id, title, body, excerpt, category_id, status, created_at, updated_at, published_at)
  VALUES (:id, :userId, :title, :body, '', 1, 'published', 1, 1, 1)`;

/** The embedded index holds the words of the posts, and nothing else; a server's can't be otherwise. */
async function checkIndex(database: Database): Promise<void> {
  if (database.dialect === 'sqlite') await database.atomically({ audit: NO_PERSON, guard: compareIndex() });
}

const compareIndex = sql`INSERT INTO post_search (post_search, rank) VALUES ('integrity-check', 1)`;

const selectPostsWithWords = sql<void, { post_id: number }>`SELECT post_id FROM post_words`;

const setReactions = sql<{ id: number; likes: number; comments: number }>`
  UPDATE posts SET like_count = :likes, comment_count = :comments WHERE id = :id`;

export const feedsAndSearch = {
  title: 'drafts, feeds and search',
  promises(open: Open): void {
    test('a draft is saved where it is known as it is, and not over what was saved meanwhile', async (t) => {
      const { community, alice, bob } = await openHouse(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      const first = await community.saveDraft(asMember(bob, LATER), id, written('one'), NOON);
      const stale = await community.saveDraft(asMember(bob, LATER), id, written('lost'), NOON);
      const second = await community.saveDraft(asMember(bob, LATER), id, written('two'), first);
      const anyway = await community.saveDraft(asMember(bob, LATER + 9), id, written('three'));
      const foreign = await community.saveDraft(asMember(alice, LATER), id, written('mine'));

      // At one moment on the clock, and yet each change has its own.
      assert.deepEqual([first, stale, second, anyway], [LATER, undefined, LATER + 1, LATER + 9]);
      assert.equal(foreign, undefined);
      assert.equal((await community.findPost(id))?.title, 'three');
    });

    test('of 16 saves at once by those who know the same draft one happens', async (t) => {
      const { community, bob } = await openHouse(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      const saves = await atOnce(16, (index) =>
        community.saveDraft(asMember(bob, LATER), id, written(`${index}`), NOON),
      );

      assert.equal(saves.filter((version) => version !== undefined).length, 1);
    });

    test('what is published is never saved as a draft, and only edited from where it is known', async (t) => {
      const { community, bob } = await openHouse(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob));

      const saved = await community.saveDraft(asMember(bob, LATER), id, written('as a draft'));
      const stale = await community.editPost(asMember(bob, LATER), id, written('stale'), NOON - 1);
      const edited = await community.editPost(asMember(bob, LATER), id, written('edited'), NOON);

      assert.deepEqual([saved, stale, edited], [undefined, undefined, LATER]);
      assert.equal((await community.findPost(id))?.title, 'edited');
    });

    test('a draft without a title or without a text is not published', async (t) => {
      const { community, bob } = await openHouse(open, t);
      const untitled = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, title: '' }));
      const empty = await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, body: '' }));

      assert.equal(await community.publishDraft(asMember(bob, LATER), untitled, 10), false);
      assert.equal(await community.publishDraft(asMember(bob, LATER), empty, 10), false);
    });

    test('a removed post comes back as what it was, once, with what it earned', async (t) => {
      const { community, identity, alice, bob } = await openHouse(open, t);
      const published = await community.addPost(asMember(bob), newPost(bob));
      const draft = await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));
      for (const id of [published, draft]) await community.removePost(asMember(bob, LATER), id, 10);
      const xpRemoved = (await identity.findUser(bob))?.xp;
      const listed = await community.removedPostsOf(bob, NOON);

      const byAlice = await community.restorePost(asMember(alice, LATER), published, 10, NOON);
      const tooLate = await community.restorePost(asMember(bob, LATER), published, 10, LATER);
      const answers = await atOnce(8, () => community.restorePost(asMember(bob, LATER), published, 10, NOON));
      const asDraft = await community.restorePost(asMember(bob, LATER), draft, 10, NOON);

      assert.deepEqual([byAlice, tooLate, asDraft], [false, false, true]);
      assert.equal(answers.filter((happened) => happened).length, 1);
      assert.deepEqual(
        listed.map(({ id, removedAt, isByOperator }) => [id, removedAt, isByOperator]),
        [
          [draft, LATER, false],
          [published, LATER, false],
        ],
      );
      assert.equal((await community.findPost(published))?.status, 'published');
      assert.equal((await community.findPost(published))?.publishedAt, NOON);
      assert.equal((await community.findPost(draft))?.status, 'draft');
      assert.equal(xpRemoved, 0);
      assert.equal((await identity.findUser(bob))?.xp, 10);
      assert.deepEqual(await community.removedPostsOf(bob, NOON), []);
    });

    test('what an operator removed does not come back by its author', async (t) => {
      const { community, alice, bob } = await openHouse(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob));
      const subject = await community.findReportable({ postId: id });
      assert.ok(subject);
      const removal = { subject, xp: 10, weight: 1 };
      assert.ok(await community.removeReported(asOperator(alice, LATER), removal));

      const [removed] = await community.removedPostsOf(bob, NOON);

      assert.equal(removed?.isByOperator, true);
      assert.equal(await community.restorePost(asMember(bob, LATER), id, 10, NOON), false);
    });

    test('a removed post is deleted, with its words, when nobody can restore it any more', async (t) => {
      const { community, database, bob } = await openHouse(open, t);
      const gone = await community.addPost(asMember(bob), newPost(bob, written('Gone vault')));
      const stays = await community.addPost(asMember(bob), newPost(bob, written('Stays vault')));
      await community.removePost(asMember(bob), gone, 10);
      const lifetimes = {
        ...{ accessToken: HOUR, family: DAY, sessionIdle: DAY, notification: DAY, securityEvent: DAY },
        removedPost: 30 * DAY,
      };

      const before = await purgeExpired(database, lifetimes, NOON + 30 * DAY, 500);
      const after = await purgeExpired(database, lifetimes, NOON + 30 * DAY + HOUR, 500);

      assert.deepEqual([before, after], [0, 1]);
      assert.equal(await community.findPost(gone), undefined);
      assert.notEqual(await community.findPost(stays), undefined);
      assert.deepEqual(await found(community, 'vault'), ['Stays vault']);
      await checkIndex(database);
      const rows = await database.rows(selectPostsWithWords());
      assert.deepEqual(
        rows.map(({ post_id }) => post_id),
        [stays],
      );
    });

    test('the newest posts go on from where a page ends, ties by number', async (t) => {
      const { community, bob } = await openHouse(open, t);
      const { id: categoryId } = await community.ensureCategory(SERVER, 'craft', 'Craft');
      const moments = [NOON, NOON + 2, NOON + 1, NOON + 2, NOON, NOON];
      for (const [index, at] of moments.entries()) {
        const category = index % 2 === 0 ? categoryId : 1;
        await community.addPost(asMember(bob, at), newPost(bob, { title: `${index}`, categoryId: category }));
      }
      await community.addPost(asMember(bob), newPost(bob, AS_DRAFT));

      const pages = [];
      let place = BEGINNING;
      for (let page = 0; page < 4; page += 1) {
        const posts = await community.postsBefore(place, 2);
        pages.push(posts.map(({ title }) => title));
        const last = posts.at(-1);
        if (last !== undefined) place = { at: last.publishedAt ?? 0, id: last.id };
      }
      const craft = await community.postsInCategory(categoryId, BEGINNING, 9);
      const afterTwo = await community.postsInCategory(categoryId, { at: NOON + 1, id: 3 }, 9);

      assert.deepEqual(pages, [['3', '1'], ['2', '5'], ['4', '0'], []]);
      assert.deepEqual(
        craft.map(({ title }) => title),
        ['2', '4', '0'],
      );
      assert.deepEqual(
        afterTwo.map(({ title }) => title),
        ['4', '0'],
      );
    });

    test('what readers answered is more popular than what is a little newer', async (t) => {
      const { community, database, bob } = await openHouse(open, t);
      const old = await community.addPost(asMember(bob), newPost(bob, { title: 'old' }));
      await community.addPost(asMember(bob, NOON + HOUR), newPost(bob, { title: 'newer' }));
      const draft = await community.addPost(
        asMember(bob),
        newPost(bob, { ...AS_DRAFT, title: 'just published' }),
      );
      const before = await community.popularPosts(BEGINNING, 9);
      await community.publishDraft(asMember(bob, NOON + 2 * HOUR), draft, 10);
      const guard = setReactions({ id: old, likes: 3, comments: 2 });

      await database.atomically({
        audit: NO_PERSON,
        guard,
        effects: [updatePopularity({ postId: old, weight: HOUR })],
      });
      const after = await community.popularPosts(BEGINNING, 9);
      const [first] = after;
      const next = await community.popularPosts({ at: first?.popularity ?? 0, id: first?.id ?? 0 }, 9);

      const titles = (posts: readonly { title: string }[]) => posts.map(({ title }) => title);
      assert.deepEqual(titles(before), ['newer', 'old']);
      // ln(1 + 3 + 2 · 2) hours are 2.08.
      assert.deepEqual(titles(after), ['old', 'just published', 'newer']);
      assert.equal(first?.popularity, NOON + Math.floor(Math.log(8) * HOUR));
      assert.deepEqual(titles(next), ['just published', 'newer']);
    });

    test('a published post is found by all its words, newest first, in pages', async (t) => {
      const { community, bob } = await openHouse(open, t);
      for (const [title, body] of [
        ['On arches', 'An arch never sleeps.'],
        ['拱门的历史', '上海的石库门很有名。'],
        ['Café culture', 'Sleeping arches — of Shanghai 上海, v2.0 & more'],
      ] as const) {
        await community.addPost(asMember(bob), newPost(bob, written(title, body)));
      }
      await community.addPost(asMember(bob), newPost(bob, { ...AS_DRAFT, ...written('Arches in a draft') }));
      const removed = await community.addPost(asMember(bob), newPost(bob, written('Arches removed')));
      await community.removePost(asMember(bob, LATER), removed, 10);

      assert.deepEqual(await found(community, 'arches'), ['Café culture', 'On arches']);
      assert.deepEqual(await found(community, 'arches', 3), ['On arches']);
      assert.deepEqual(await found(community, 'arches', 99, 1), ['Café culture']);
      assert.deepEqual(await found(community, 'ARCH sleep'), ['Café culture', 'On arches']);
      assert.deepEqual(await found(community, 'cafe\u0301'), ['Café culture']);
      assert.deepEqual(await found(community, '上海'), ['Café culture', '拱门的历史']);
      assert.deepEqual(await found(community, '海上'), []);
      assert.deepEqual(await found(community, '石库门 历史'), ['拱门的历史']);
      assert.deepEqual(await found(community, 'shanghai v2'), ['Café culture']);
      assert.deepEqual(await found(community, 'arches nowhere'), []);
      await community.restorePost(asMember(bob, LATER), removed, 10, NOON);
      assert.deepEqual(await found(community, 'removed'), ['Arches removed']);
    });

    test('posts are found however many others lie between them', async (t) => {
      const { community, database, bob } = await openHouse(open, t);
      const numbers = [3, 510, 511, 512, 600, 4_607, 4_608, 40_000, 300_000, 2_000_000];
      const row = newPost(bob);
      for (const id of numbers) {
        await database.atomically({
          audit: NO_PERSON,
          guard: insertNumbered({ id, userId: bob, title: `${id}`, body: row.body }),
          effects: [setWords({ id, words: 'on arches' })],
        });
      }
      const titles = numbers.map((id) => `${id}`).reverse();

      assert.deepEqual(await found(community, 'arches'), titles);
      assert.deepEqual(await found(community, 'arches', 600), titles.slice(6));
      assert.deepEqual(await found(community, 'arches', 512, 1), ['511']);
      assert.deepEqual(await found(community, 'arches', 3_000_000, 4), titles.slice(0, 4));
      assert.deepEqual(await found(community, 'arches', 3), []);
    });

    test('no text that is asked for is taken for a command of the search', async (t) => {
      const { community, bob } = await openHouse(open, t);
      await community.addPost(asMember(bob), newPost(bob, written('Not near or and', 'words : plain')));

      for (const [query, titles] of [
        ['NOT', ['Not near or and']],
        ['near OR and', ['Not near or and']],
        ['"words" AND (plain)', ['Not near or and']],
        [`plain' | 'x`, []],
        ['words:*', ['Not near or and']],
        ['wor*', []],
        ['\u0e35', []],
      ] as const) {
        assert.deepEqual(await found(community, query), titles, query);
      }
    });

    test('a post is found by what it says now', async (t) => {
      const { community, database, bob } = await openHouse(open, t);
      const published = await community.addPost(asMember(bob), newPost(bob, written('On vaults')));
      const draft = await community.addPost(
        asMember(bob),
        newPost(bob, { ...AS_DRAFT, ...written('Early') }),
      );

      await community.editPost(asMember(bob, LATER), published, written('On domes'));
      await community.editPost(asMember(bob, LATER), published, written('Nobody’s', 'vaults'), NOON);
      await community.saveDraft(asMember(bob, LATER), draft, written('Late'));
      await community.publishDraft(asMember(bob, LATER), draft, 10);

      await checkIndex(database);
      assert.deepEqual(await found(community, 'vaults'), []);
      assert.deepEqual(await found(community, 'early'), []);
      assert.deepEqual(await found(community, 'domes'), ['On domes']);
      assert.deepEqual(await found(community, 'late'), ['Late']);
    });

    test('of posts that are written at once each is found by its own words', async (t) => {
      const { community, alice, bob } = await openHouse(open, t);
      await atOnce(40, (index) =>
        community.addPost(
          asMember(index % 2 === 0 ? bob : alice),
          newPost(index % 2 === 0 ? bob : alice, written(`Title${index}`)),
        ),
      );

      for (let index = 0; index < 40; index += 1) {
        assert.deepEqual(await found(community, `title${index}`), [`Title${index}`]);
      }
    });
  },
};
