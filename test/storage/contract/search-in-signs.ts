// The search in scripts without spaces, and posts that leave the index of words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommunityStore } from '../../../src/community/store.ts';
import { phrasesOf } from '../../../src/lib/words.ts';
import { NO_ENTRY } from '../../../src/storage/audit/audit-trail.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { asMember } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';
import { newPost, textOf } from '../records.ts';
import { checkIndex } from '../search-index.ts';

async function titlesFound(community: CommunityStore, query: string) {
  const bounds = { below: Number.MAX_SAFE_INTEGER, most: 20, enough: 20 };
  const { ids } = await community.postIdsWith({ phrases: phrasesOf(query) }, bounds);
  return (await community.postsByIds(ids)).map(({ title }) => title);
}

const deletePost = sql<{ id: number }>`DELETE FROM posts WHERE id = :id`;

export const searchInSigns = {
  title: 'the search in scripts without spaces',
  registerTests(open: Open): void {
    test('signs of scripts without spaces are found where they are beside each other', async (t) => {
      const { community, database, bob } = await openFixture(open, t);
      for (const body of [
        '石库门',
        '石库，库门',
        '门石库',
        '人々の',
        'ラーメン',
        'กขค',
        '石 库',
        '𠀀𠀁 rye',
        '面',
      ]) {
        await community.addPost(asMember(bob), newPost(bob, textOf(body, 'Text')));
      }

      for (const [query, titles] of [
        ['石库', ['石 库', '门石库', '石库，库门', '石库门']],
        ['库门', ['石库，库门', '石库门']],
        ['石库门', ['石库门']],
        ['石门', []],
        ['门石 库', ['门石库']],
        ['库门 石库', ['石库，库门', '石库门']],
        ['人々', ['人々の']],
        ['々人', []],
        ['ラーメン', ['ラーメン']],
        ['ラメン', []],
        ['ขค', ['กขค']],
        ['กค', []],
        ['𠀀𠀁', ['𠀀𠀁 rye']],
        ['𠀁𠀀', []],
        ['面', ['面']],
        ['石库门 rye', []],
      ] as const) {
        assert.deepEqual(await titlesFound(community, query), titles, query);
      }
      await checkIndex(database);
    });

    test('a post that is deleted leaves the index, also if its words are still there', async (t) => {
      const { community, database, alice, bob } = await openFixture(open, t);
      const id = await community.addPost(asMember(bob), newPost(bob, textOf('面包 vault')));
      await community.addPost(asMember(alice), newPost(alice, textOf('面包 arch')));

      await database.atomically({ audit: NO_ENTRY, guard: deletePost({ id }) });

      assert.deepEqual(await titlesFound(community, '面包'), ['面包 arch']);
      assert.deepEqual(await titlesFound(community, 'vault'), []);
      await checkIndex(database);
    });
  },
};
