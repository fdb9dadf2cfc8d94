// A search in SQLite's index of words. It runs in the server's only thread, so each step is short.

import type { PostQuery } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { type Part, partOf, type SearchSteps } from './search-steps.ts';

// The index has the block of each post's id as a first word of the post.
const [FIRST_SIGN, BLOCK] = ['\u{E000}', 1024];
// The most blocks that one step has. A step of a search for several words begins with one block.
const MOST_BLOCKS = 32;
// So many matches are looked up at once where filters leave some out.
const MATCHES_TO_FILTER = 512;
// More than any post has words.
const ANY_DISTANCE = 100_000_000;
const QUICK_MS = 1;
const SLOW_MS = 15;
// All posts with a word that so few have are read sooner than other posts are looked for the word.
const FEW_POSTS = 500;
// A word that isn't complete can stand for very many words.
const MOST_COMPLETIONS = 50;

export async function sqliteSteps(database: Database, query: PostQuery): Promise<SearchSteps> {
  const { authorId, categoryId, tagId, language } = query;
  const words = await wordsOf(database, query);
  const withWords = words.join(' AND ');
  const phrases = query.phrases.filter(({ length }) => length > 1).map((phrase) => `"${phrase.join(' ')}"`);
  const isFiltered = [authorId, categoryId, tagId, language].some((filter) => filter !== undefined);
  const isOneWord = words.length === 1 && phrases.length === 0;
  const inBlocks = growing();

  async function published(matches: readonly number[], limit: number): Promise<number[]> {
    if (matches.length === 0) return [];
    const filter = { ids: JSON.stringify(matches), authorId, categoryId, tagId, language, limit };
    return idsOf(await database.rows(selectPublished.sqlite(filter)));
  }

  // Every post with a single word is a match, so nothing else is looked at.
  async function newest(below: number, limit: number): Promise<Part> {
    const ids = idsOf(await database.rows(selectNewest.sqlite({ match: withWords, below, limit })));
    return partOf(ids, limit, 1);
  }

  // Otherwise the index would look for the next post with all words in all others. With a few blocks it looks in these.
  const newestInBlocks = (below: number, limit: number) =>
    inBlocks(below, async (blocks, from) => {
      const match = await matchIn(blocks, below);
      if (match === undefined) return { ids: [], next: from };
      return partOf(idsOf(await database.rows(selectInBlocks.sqlite({ match, below, limit }))), limit, from);
    });

  // The index looks for a phrase in all posts that have its words, unless the block is a part of the phrase. That takes
  // longer than to see that no post in the blocks has all words.
  async function matchIn(blocks: readonly number[], below: number): Promise<string | undefined> {
    const match = `(${blocks.map(wordOf).join(' OR ')}) AND ${withWords}`;
    if (phrases.length === 0) return match;
    if ((await countOf(match, below, 1)) === 0) return undefined;
    const near = (phrase: string) =>
      blocks.map((block) => `NEAR(${wordOf(block)} ${phrase}, ${ANY_DISTANCE})`).join(' OR ');
    return [withWords, ...phrases.map((phrase) => `(${near(phrase)})`)].join(' AND ');
  }

  async function countOf(match: string, below: number, limit: number): Promise<number> {
    return (await database.first(countMatches.sqlite({ match, below, limit })))?.count ?? 0;
  }

  // The words of a closed account's posts are deleted in small steps. Until then they count.
  const countAll = async (below: number, limit: number) => ({
    count: await countOf(withWords, below, limit),
    next: 1,
  });

  const countInBlocks = (below: number, limit: number) =>
    inBlocks(below, async (blocks, next) => {
      const match = await matchIn(blocks, below);
      return { count: match === undefined ? 0 : await countOf(match, below, limit), next };
    });

  return {
    async read(below, limit) {
      // Hardly any match isn't published, but filters leave many out.
      const most = isFiltered ? Math.max(limit, MATCHES_TO_FILTER) : limit;
      const { ids, next } = await (isOneWord ? newest(below, most) : newestInBlocks(below, most));
      return partOf(await published(ids, limit), limit, next);
    },
    count: isFiltered ? undefined : isOneWord ? countAll : countInBlocks,
    async isOfFewPosts() {
      for (const word of words) {
        if ((await countOf(word, Number.MAX_SAFE_INTEGER, FEW_POSTS)) < FEW_POSTS) return true;
      }
      return false;
    },
    among: isOneWord ? among : undefined,
  };

  // For several words, the index would look from each post on for the next match, which can be far away.
  async function among(ids: readonly number[]): Promise<number[]> {
    const matches = await database.rows(
      selectMatchesAmong.sqlite({ match: withWords, ids: JSON.stringify(ids) }),
    );
    return published(idsOf(matches), ids.length);
  }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

// Steps grow until one is slow.
function growing() {
  let length = 1;
  return async <R>(
    below: number,
    work: (blocks: readonly number[], from: number) => Promise<R>,
  ): Promise<R> => {
    const last = Math.floor((below - 1) / BLOCK);
    const first = Math.max(0, last - length + 1);
    const blocks = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const begin = performance.now();
    const result = await work(blocks, Math.max(1, first * BLOCK));
    const took = performance.now() - begin;
    if (took > SLOW_MS) length = Math.ceil(length / 2);
    else length = Math.min(MOST_BLOCKS, length * (took < QUICK_MS ? 4 : 2));
    return result;
  };
}

function wordOf(block: number): string {
  return `"${FIRST_SIGN}${block}"`;
}

// Words are letters and digits, so no quotation mark can end one early.
async function wordsOf(database: Database, { phrases, isCompleted }: PostQuery): Promise<string[]> {
  const whole = isCompleted ? phrases.slice(0, -1) : phrases;
  const words = new Set(whole.flat().map((word) => `"${word}"`));
  if (isCompleted) {
    const last = phrases.at(-1)?.[0] ?? '';
    const completions = [last, ...(await wordsBeginningWith(database, last))];
    words.add(`(${completions.map((word) => `"${word}"`).join(' OR ')})`);
  }
  return [...words];
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

// In the order of the index, which is quick, and sorted then: backwards, it would begin with the newest posts again.
const selectInBlocks = {
  sqlite: sql<{ match: string; below: number; limit: number }, { id: number }>`
  SELECT rowid AS id ${BELOW} ORDER BY +rowid DESC LIMIT cast(:limit AS bigint)`,
};

const countMatches = {
  sqlite: sql<{ match: string; below: number; limit: number }, { count: number }>`
  SELECT count(*) AS count FROM (SELECT 1 ${BELOW} LIMIT cast(:limit AS bigint)) AS counted`,
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
