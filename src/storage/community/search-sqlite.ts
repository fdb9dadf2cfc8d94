// A search in SQLite's index of words. It runs in the server's only thread, so each step is short.

import type { PostQuery } from '../../community/search-store.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import type { SearchSteps, Step } from './search-steps.ts';

// How many ids the first step has.
const FIRST_STEP = 128;
const QUICK_MS = 4;
const SLOW_MS = 15;
// However quick they were, the next step can be where nearly every post is a match.
const LONGEST_STEP = 8192;
// So many matches are looked up first where a filter leaves some out.
const FIRST_MATCHES = 64;
// All posts with a word that so few have are read sooner than other posts are looked for the word.
const FEW_POSTS = 500;
// A word that isn't complete can stand for very many words.
const MOST_COMPLETIONS = 50;

export async function sqliteSteps(database: Database, query: PostQuery): Promise<SearchSteps> {
  const { authorId, categoryId, tagId, language } = query;
  const parts = await partsOf(database, query);
  const match = parts.join(' AND ');
  const isOneWord = query.phrases.length === 1 && query.phrases[0]?.length === 1;
  const isFiltered = [authorId, categoryId, tagId, language].some((filter) => filter !== undefined);
  let length = FIRST_STEP;

  // After a quick step the next one is longer, after a slow one shorter.
  async function paced<R>(work: () => Awaitable<R>): Promise<R> {
    const begin = performance.now();
    const result = await work();
    const took = performance.now() - begin;
    if (took < QUICK_MS) length = Math.min(length * 4, LONGEST_STEP);
    else if (took > SLOW_MS) length = Math.max(FIRST_STEP, length / 2);
    return result;
  }

  async function published(matches: readonly { id: number }[], limit: number): Promise<number[]> {
    const ids = JSON.stringify(matches.map(({ id }) => id));
    const filter = { ids, authorId, categoryId, tagId, language, limit };
    return (await database.rows(selectPublished.sqlite(filter))).map(({ id }) => id);
  }

  // Every post with a single word is a match, so the newest are found without looking at others.
  async function newest({ from, below, limit }: Step): Promise<number[]> {
    const ids: number[] = [];
    // Hardly any match isn't published, but filters leave many out.
    let most = isFiltered ? Math.max(limit, FIRST_MATCHES) : limit;
    for (let next = below; ids.length < limit; most *= 2) {
      const matches = await database.rows(selectNewest.sqlite({ match, from, below: next, limit: most }));
      ids.push(...(await published(matches, limit - ids.length)));
      if (matches.length < most) break;
      next = matches.at(-1)?.id ?? from;
    }
    return ids;
  }

  // Backwards, the index would look for a match of several words among all older posts, and not only in the step.
  async function all({ from, below, limit }: Step): Promise<number[]> {
    const matches = await database.rows(selectMatches.sqlite({ match, from, below }));
    return published(isFiltered ? matches : matches.slice(-limit), limit);
  }

  async function countOf(step: Step): Promise<number> {
    return (await database.first(countMatches.sqlite({ match, ...step })))?.count ?? 0;
  }

  return {
    from: (below) => (isOneWord && !isFiltered ? 1 : below - length),
    read: (step) => paced(() => (isOneWord ? newest(step) : all(step))),
    // The words of a closed account's posts are deleted in small steps. Until then they count.
    count: isFiltered ? undefined : (step) => paced(() => countOf(step)),
    async isOfFewPosts() {
      const whole = query.isCompleted ? query.phrases.slice(0, -1) : query.phrases;
      const words = whole.flat().map((word) => `"${word}"`);
      for (const word of new Set([...words, ...(query.isCompleted ? parts.slice(-1) : [])])) {
        const row = await database.first(countPosts.sqlite({ match: word, limit: FEW_POSTS }));
        if ((row?.count ?? 0) < FEW_POSTS) return true;
      }
      return false;
    },
    async among(ids) {
      const matches = await database.rows(selectMatchesAmong.sqlite({ match, ids: JSON.stringify(ids) }));
      return published(matches, ids.length);
    },
  };
}

// Words are letters and digits, so no quotation mark can end a phrase early.
async function partsOf(database: Database, { phrases, isCompleted }: PostQuery): Promise<string[]> {
  const quoted = phrases.map((words) => `"${words.join(' ')}"`);
  if (isCompleted) {
    const last = phrases.at(-1)?.[0] ?? '';
    const words = [last, ...(await wordsBeginningWith(database, last))];
    quoted.splice(-1, 1, `(${words.map((word) => `"${word}"`).join(' OR ')})`);
  }
  return quoted;
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
const MATCHES = fragment`
  FROM post_search
  WHERE post_search MATCH :match AND rowid >= cast(:from AS bigint) AND rowid < cast(:below AS bigint)`;

const selectMatches = {
  sqlite: sql<{ match: string; from: number; below: number }, { id: number }>`SELECT rowid AS id ${MATCHES}`,
};

const selectNewest = {
  sqlite: sql<{ match: string } & Step, { id: number }>`
  SELECT rowid AS id ${MATCHES} ORDER BY rowid DESC LIMIT cast(:limit AS bigint)`,
};

const countMatches = {
  sqlite: sql<{ match: string } & Step, { count: number }>`
  SELECT count(*) AS count FROM (SELECT 1 ${MATCHES} LIMIT cast(:limit AS bigint)) AS counted`,
};

const countPosts = {
  sqlite: sql<{ match: string; limit: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT 1 FROM post_search WHERE post_search MATCH :match LIMIT cast(:limit AS bigint)) AS counted`,
};

const selectMatchesAmong = {
  sqlite: sql<{ match: string; ids: string }, { id: number }>`
  SELECT rowid AS id FROM post_search
  WHERE post_search MATCH :match AND rowid IN (SELECT value FROM json_each(:ids))`,
};

interface Filter {
  ids: string;
  authorId: number | undefined;
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
    AND (cast(:authorId AS bigint) IS NULL OR user_id = :authorId)
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
