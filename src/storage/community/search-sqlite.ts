// A search in SQLite's index of words. It runs in the server's only thread, so each step is short.

import type { PostQuery } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { type Part, partOf, type SearchSteps } from './search-steps.ts';

// How many ids the first step has: to read, and to count, which comes after some steps.
const [FIRST_TO_READ, FIRST_TO_COUNT] = [128, 512];
// So many matches are looked up at once where filters leave some out.
const MATCHES_TO_FILTER = 512;
const QUICK_MS = 1;
const SLOW_MS = 15;
// All posts with a word that so few have are read sooner than other posts are looked for the word.
const FEW_POSTS = 500;
// A word that isn't complete can stand for very many words.
const MOST_COMPLETIONS = 50;

export async function sqliteSteps(database: Database, query: PostQuery): Promise<SearchSteps> {
  const { authorId, categoryId, tagId, language } = query;
  const parts = await partsOf(database, query);
  const match = parts.join(' AND ');
  const isFiltered = [authorId, categoryId, tagId, language].some((filter) => filter !== undefined);
  const isOneWord = query.phrases.length === 1 && query.phrases[0]?.length === 1;
  const toRead = growing(FIRST_TO_READ);
  const toCount = growing(FIRST_TO_COUNT);

  async function published(matches: readonly number[], limit: number): Promise<number[]> {
    if (matches.length === 0) return [];
    const filter = { ids: JSON.stringify(matches), authorId, categoryId, tagId, language, limit };
    return idsOf(await database.rows(selectPublished.sqlite(filter)));
  }

  // Every post with a single word is a match, so nothing else is looked at.
  async function newest(below: number, most: number): Promise<Part> {
    const ids = idsOf(await database.rows(selectNewest.sqlite({ match, below, limit: most })));
    return { ids, next: ids.length < most ? 1 : (ids.at(-1) ?? 1) };
  }

  // Backwards, the index would look for a match of several words in all older posts, and not only in the step. Forwards
  // it looks in all newer ones, but these are no more than in the steps before. If the step has enough, the newest are
  // near.
  async function newestInStep(below: number, most: number): Promise<Part> {
    const step = await toRead(async (length) => {
      const next = Math.max(1, below - length);
      const matches = await database.rows(selectInStep.sqlite({ match, from: next, below, limit: most + 1 }));
      return { ids: idsOf(matches), next };
    });
    return step.ids.length > most ? newest(below, most) : step;
  }

  return {
    async read(below, limit) {
      // Hardly any match isn't published, but filters leave many out.
      const most = isFiltered ? Math.max(limit, MATCHES_TO_FILTER) : limit;
      const { ids, next } = await (isOneWord ? newest(below, most) : newestInStep(below, most));
      return partOf(await published(ids, limit), limit, next);
    },
    // The words of a closed account's posts are deleted in small steps. Until then they count.
    count: isFiltered
      ? undefined
      : (below, limit) =>
          toCount(async (length) => {
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
    among: isOneWord ? among : undefined,
  };

  // For several words, the index would look from each post on for the next match, which can be far away.
  async function among(ids: readonly number[]): Promise<number[]> {
    const matches = await database.rows(selectMatchesAmong.sqlite({ match, ids: JSON.stringify(ids) }));
    return published(idsOf(matches), ids.length);
  }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

// Steps grow until one is slow. A step of several words takes longer the more posts there are in the steps before it.
function growing(first: number) {
  let length = first;
  return async <R>(work: (length: number) => Promise<R>): Promise<R> => {
    const begin = performance.now();
    const result = await work(length);
    const took = performance.now() - begin;
    if (took < SLOW_MS) length *= took < QUICK_MS ? 4 : 2;
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

interface InStep {
  match: string;
  from: number;
  below: number;
  limit: number;
}

const IN_STEP = fragment`${BELOW} AND rowid >= cast(:from AS bigint) LIMIT cast(:limit AS bigint)`;

const selectInStep = {
  sqlite: sql<InStep, { id: number }>`SELECT rowid AS id ${IN_STEP}`,
};

const countInStep = {
  sqlite: sql<InStep, { count: number }>`SELECT count(*) AS count FROM (SELECT 1 ${IN_STEP}) AS counted`,
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
