// A search in SQLite's index of words. It runs in the server's only thread, so each step is short.

import type { PostQuery } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import type { SearchSteps } from './search-steps.ts';

// How many ids the first step has. After a quick step the next one is longer, after a slow one shorter.
const FIRST_STEP = 512;
const QUICK_MS = 4;
const SLOW_MS = 15;
// A word that isn't complete can stand for very many words.
const MOST_COMPLETIONS = 50;

export async function sqliteSteps(database: Database, query: PostQuery): Promise<SearchSteps> {
  const { categoryId, tagId, language } = query;
  const match = await matchOf(database, query);
  let length = FIRST_STEP;

  async function published(matches: { id: number }[], limit: number): Promise<number[]> {
    const ids = JSON.stringify(matches.map(({ id }) => id));
    const rows = await database.rows(selectPublished.sqlite({ ids, categoryId, tagId, language, limit }));
    return rows.map(({ id }) => id);
  }

  return {
    from: (below) => below - length,
    async read({ from, below, limit }) {
      const begin = performance.now();
      const ids = await published(await database.rows(selectMatches.sqlite({ match, from, below })), limit);
      const took = performance.now() - begin;
      if (took < QUICK_MS) length *= 4;
      else if (took > SLOW_MS) length = Math.max(FIRST_STEP, length / 2);
      return ids;
    },
    async among(ids) {
      const matches = await database.rows(selectMatchesAmong.sqlite({ match, ids: JSON.stringify(ids) }));
      return published(matches, ids.length);
    },
  };
}

// Words are letters and digits, so no quotation mark can end a phrase early.
async function matchOf(database: Database, { phrases, isCompleted }: PostQuery): Promise<string> {
  const quoted = phrases.map((words) => `"${words.join(' ')}"`);
  if (isCompleted) {
    const last = phrases.at(-1)?.[0] ?? '';
    const words = [last, ...(await wordsBeginningWith(database, last))];
    quoted.splice(-1, 1, `(${words.map((word) => `"${word}"`).join(' OR ')})`);
  }
  return quoted.join(' AND ');
}

// One by one, since the table has a row for each place of a word. The index has stems of words.
async function wordsBeginningWith(database: Database, beginning: string): Promise<string[]> {
  const words: string[] = [];
  let from = beginning;
  while (words.length < MOST_COMPLETIONS) {
    const next = await database.first(selectWord.sqlite({ from, to: `${beginning}\u{10FFFF}` }));
    if (next === undefined) break;
    words.push(next.term);
    // The sign comes before all letters and digits.
    from = `${next.term}!`;
  }
  return words;
}

// The index finds ids by integers only, and numbers are bound as floating-point numbers.
const selectMatches = {
  sqlite: sql<{ match: string; from: number; below: number }, { id: number }>`
  SELECT rowid AS id FROM post_search
  WHERE post_search MATCH :match AND rowid >= cast(:from AS bigint) AND rowid < cast(:below AS bigint)`,
};

const selectMatchesAmong = {
  sqlite: sql<{ match: string; ids: string }, { id: number }>`
  SELECT rowid AS id FROM post_search
  WHERE post_search MATCH :match AND rowid IN (SELECT value FROM json_each(:ids))`,
};

interface Filter {
  ids: string;
  categoryId: number | undefined;
  tagId: number | undefined;
  language: string | undefined;
  limit: number;
}

// The words of a closed account's posts are deleted in small steps.
const selectPublished = {
  sqlite: sql<Filter, { id: number }>`
  SELECT id FROM posts
  WHERE id IN (SELECT value FROM json_each(:ids)) AND status = 'published'
    AND (cast(:categoryId AS bigint) IS NULL OR category_id = :categoryId)
    AND (cast(:language AS text) IS NULL OR language = :language)
    AND (cast(:tagId AS bigint) IS NULL
      OR EXISTS (SELECT 1 FROM post_tags WHERE post_tags.post_id = posts.id AND post_tags.tag_id = :tagId))
  ORDER BY id DESC LIMIT cast(:limit AS bigint)`,
};

const selectWord = {
  sqlite: sql<{ from: string; to: string }, { term: string }>`
  SELECT coalesce(term, '') AS term FROM post_search_terms WHERE term >= :from AND term < :to LIMIT 1`,
};
