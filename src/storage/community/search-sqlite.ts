// A search in SQLite's index of words. It runs in the server's only thread, so each step is short.

import type { PostQuery } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { partOf, type SearchSteps } from './search-steps.ts';

// How many matches are read in a step where filters leave some out. However quick the last steps were, the next one can
// be where nearly every post is a match.
const [FEWEST_MATCHES, MOST_MATCHES] = [128, 8192];
// Among how many ids matches are counted at first.
const FIRST_IDS = 8192;
const QUICK_MS = 1;
const SLOW_MS = 4;
// All posts with a word that so few have are read sooner than other posts are looked for the word.
const FEW_POSTS = 500;
// A word that isn't complete can stand for very many words.
const MOST_COMPLETIONS = 50;

export async function sqliteSteps(database: Database, query: PostQuery): Promise<SearchSteps> {
  const { authorId, categoryId, tagId, language } = query;
  const parts = await partsOf(database, query);
  const match = parts.join(' AND ');
  const isFiltered = [authorId, categoryId, tagId, language].some((filter) => filter !== undefined);
  const readMatches = paced(FEWEST_MATCHES, MOST_MATCHES);
  const countMatches = paced(FIRST_IDS);

  async function published(matches: readonly { id: number }[], limit: number): Promise<number[]> {
    const ids = JSON.stringify(matches.map(({ id }) => id));
    const filter = { ids, authorId, categoryId, tagId, language, limit };
    return (await database.rows(selectPublished.sqlite(filter))).map(({ id }) => id);
  }

  return {
    // From the newest to the oldest, the index looks at each post once, however few are a match.
    read: (below, limit, step) =>
      readMatches(async (length) => {
        // Hardly any match isn't published, but filters leave many out.
        const most = isFiltered || step > 0 ? Math.max(length, limit) : limit;
        const matches = await database.rows(selectNewest.sqlite({ match, below, limit: most }));
        const next = matches.length < most ? 1 : (matches.at(-1)?.id ?? 1);
        return partOf(await published(matches, limit), limit, next);
      }),
    // The words of a closed account's posts are deleted in small steps. Until then they count.
    count: isFiltered
      ? undefined
      : (below, limit) =>
          countMatches(async (length) => {
            const next = Math.max(1, below - length);
            const row = await database.first(countInStep.sqlite({ match, from: next, below, limit }));
            return { count: row?.count ?? 0, next };
          }),
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

// After a quick step the next one is longer, after a slow one shorter.
function paced(shortest: number, longest = Number.MAX_SAFE_INTEGER) {
  let length = shortest;
  return async <R>(work: (length: number) => Promise<R>): Promise<R> => {
    const begin = performance.now();
    const result = await work(length);
    const took = performance.now() - begin;
    if (took < QUICK_MS) length = Math.min(length * 2, longest);
    else if (took > SLOW_MS) length = Math.max(shortest, length / 2);
    return result;
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
const BELOW = fragment`
  FROM post_search WHERE post_search MATCH :match AND rowid < cast(:below AS bigint)`;

const selectNewest = {
  sqlite: sql<{ match: string; below: number; limit: number }, { id: number }>`
  SELECT rowid AS id ${BELOW} ORDER BY rowid DESC LIMIT cast(:limit AS bigint)`,
};

const countInStep = {
  sqlite: sql<{ match: string; from: number; below: number; limit: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT 1 ${BELOW} AND rowid >= cast(:from AS bigint) LIMIT cast(:limit AS bigint)) AS counted`,
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
