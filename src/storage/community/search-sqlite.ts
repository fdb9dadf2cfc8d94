// A search in SQLite's index of words. It runs in the server's only thread, so each step is short.

import type { PostQuery } from '../../community/search-store.ts';
import { groupsOf } from '../../lib/groups.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { indexedWords, rowsOfSigns } from './search-signs.ts';
import { type Part, partOf, type SearchSteps, SLOW_MS } from './search-steps.ts';
import { comesBefore, type WordGaps, wordGaps } from './word-gaps.ts';

// The index has as first words of each post the blocks of its id, a small one and a large one, and its author.
const SMALL = { sign: '\u{E000}', length: 1024 };
const LARGE = { sign: '\u{E001}', length: 32 * 1024 };
const AUTHOR_SIGN = '\u{E002}';
// After a quick step, the next has so many times as many blocks. Reading many small ones takes longer than a large one.
const [FASTER, MOST_SMALL_BLOCKS] = [8, 8];
// So many matches are looked up at first, and at most, where filters leave some out.
const [FIRST_TO_FILTER, MOST_TO_FILTER] = [64, 512];
const QUICK_MS = 1;
// All posts with a word that so few have are read sooner than others are looked at.
const FEW_POSTS = 500;
// So many posts with the words are looked at for phrases in a step, and at once.
const [MOST_CANDIDATES, READ_AT_ONCE] = [256, 16];
// A word that isn't complete can stand for very many words.
const MOST_COMPLETIONS = 50;

export async function sqliteSteps(database: Database, query: PostQuery): Promise<SearchSteps> {
  const { authorId, categoryId, tagId, language } = query;
  const author = authorId === undefined ? [] : [`"${AUTHOR_SIGN}${authorId}"`];
  const words = [...author, ...(await wordsOf(database, query))];
  const withWords = words.join(' AND ');
  const phrases = query.phrases.flatMap(rowsOfSigns).map((row) => ` ${row.join(' ')} `);
  const isFiltered = [categoryId, tagId, language].some((filter) => filter !== undefined);
  const isOneWord = words.length === 1 && phrases.length === 0;
  const inBlocks = growing();
  const rareWord = await wordOfFew();

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

  // Otherwise the index would look for the next post with all words in all others. With some blocks it looks in these.
  const newestInBlocks = (below: number, limit: number) =>
    inParts(below, async (blocks, from) => {
      const match = matchIn(blocks);
      const most = phrases.length === 0 ? limit : MOST_CANDIDATES;
      const ids = idsOf(await database.rows(selectInBlocks.sqlite({ match, below, limit: most })));
      return phrases.length === 0 ? partOf(ids, limit, from) : thoseWithPhrases(ids, limit, from);
    });

  async function thoseWithPhrases(candidates: readonly number[], limit: number, from: number): Promise<Part> {
    const ids: number[] = [];
    const begin = performance.now();
    for (const group of groupsOf(candidates, READ_AT_ONCE)) {
      ids.push(...(await havingPhrases(group)));
      if (ids.length >= limit) return partOf(ids.slice(0, limit), limit, from);
      if (performance.now() - begin > SLOW_MS) return { ids, next: group.at(-1) ?? from };
    }
    return { ids, next: candidates.length < MOST_CANDIDATES ? from : (candidates.at(-1) ?? from) };
  }

  // Not in the index: a sign that fills a post has ten thousand places there, and comparing them takes milliseconds.
  async function havingPhrases(ids: readonly number[]): Promise<readonly number[]> {
    if (phrases.length === 0) return ids;
    const rows = await database.rows(selectWords.sqlite({ ids: JSON.stringify(ids) }));
    const hasAll = (text: string) => phrases.every((phrase) => text.includes(phrase));
    const found = new Set(rows.filter(({ words }) => hasAll(` ${words} `)).map(({ id }) => id));
    return ids.filter((id) => found.has(id));
  }

  function matchIn(blocks: readonly string[]): string {
    return `(${blocks.join(' OR ')}) AND ${withWords}`;
  }

  // So few posts as have a rare word are all looked at in one step.
  function inParts<R>(
    below: number,
    work: (words: readonly string[], from: number) => Promise<R>,
  ): Promise<R> {
    return rareWord === undefined ? inBlocks(below, work) : work([rareWord], 1);
  }

  async function countOf(match: string, below: number, limit: number): Promise<number> {
    return (await database.first(countMatches.sqlite({ match, below, limit })))?.count ?? 0;
  }

  // The words of a closed account's posts are deleted in small steps. Until then they count.
  const countAll = async (below: number, limit: number) => ({
    count: await countOf(withWords, below, limit),
    next: 1,
  });

  async function countInBlocks(below: number, limit: number): Promise<{ count: number; next: number }> {
    if (phrases.length > 0) {
      const { ids, next } = await newestInBlocks(below, limit);
      return { count: ids.length, next };
    }
    return inParts(below, async (blocks, next) => ({
      count: await countOf(matchIn(blocks), below, limit),
      next,
    }));
  }

  let toFilter = FIRST_TO_FILTER;

  return {
    async read(below, limit) {
      // Hardly any match isn't published, but filters leave many out.
      const most = isFiltered ? Math.max(Math.min(limit, MOST_TO_FILTER), toFilter) : limit;
      toFilter = Math.min(2 * toFilter, MOST_TO_FILTER);
      const { ids, next } = await (isOneWord ? newest(below, most) : newestInBlocks(below, most));
      return partOf(await published(ids, limit), limit, next);
    },
    count: isFiltered || rareWord !== undefined ? undefined : isOneWord ? countAll : countInBlocks,
    isOfFewPosts: rareWord !== undefined,
    among,
    isInProcess: true,
    knowsAuthors: true,
  };

  async function wordOfFew(): Promise<string | undefined> {
    // All posts with a single word are found without looking at others.
    if (isOneWord && tagId === undefined) return undefined;
    for (const word of words) {
      if ((await countOf(word, Number.MAX_SAFE_INTEGER, FEW_POSTS)) < FEW_POSTS) return word;
    }
    return undefined;
  }

  // For several words, the index would look from each post on for the next match, which can be far away. With the
  // post's block it looks in this alone.
  async function among(ids: readonly number[]): Promise<number[]> {
    const inBlock = (id: number) => ({ id, match: matchIn([blockOf(SMALL, id)]) });
    const matches = isOneWord
      ? await database.rows(selectMatchesAmong.sqlite({ match: withWords, ids: JSON.stringify(ids) }))
      : await database.rows(selectInBlockOfEach.sqlite({ matches: JSON.stringify(ids.map(inBlock)) }));
    return published(await havingPhrases(idsOf(matches)), ids.length);
  }
}

/** Report whether the index has other words that begin like this. */
export async function isBeginningInIndex(database: Database, beginning: string): Promise<boolean> {
  return (await wordsBeginningWith(database, beginning, 2)).some((word) => word !== beginning);
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

// Steps grow until one is slow: from one small block to a large one.
function growing() {
  let count = 1;
  return async <R>(
    below: number,
    work: (blocks: readonly string[], from: number) => Promise<R>,
  ): Promise<R> => {
    const block = count > MOST_SMALL_BLOCKS ? LARGE : SMALL;
    const last = Math.floor((below - 1) / block.length);
    const first = block === LARGE ? last : Math.max(0, last - count + 1);
    const blocks = Array.from({ length: last - first + 1 }, (_, index) =>
      blockOf(block, (first + index) * block.length),
    );
    const begin = performance.now();
    const result = await work(blocks, Math.max(1, first * block.length));
    const took = performance.now() - begin;
    if (took > SLOW_MS) count = Math.ceil(Math.min(count, MOST_SMALL_BLOCKS) / 2);
    else count = Math.min(MOST_SMALL_BLOCKS + 1, count * (took < QUICK_MS ? FASTER : 2));
    return result;
  };
}

function blockOf({ sign, length }: typeof SMALL, id: number): string {
  return `"${sign}${Math.floor(id / length)}"`;
}

// Words are letters and digits, so no quotation mark can end one early.
async function wordsOf(database: Database, { phrases, isCompleted }: PostQuery): Promise<string[]> {
  const whole = isCompleted ? phrases.slice(0, -1) : phrases;
  const words = new Set(whole.flatMap(indexedWords).map((word) => `"${word}"`));
  if (isCompleted) {
    const last = phrases.at(-1)?.[0] ?? '';
    const completions = [last, ...(await wordsBeginningWith(database, last, MOST_COMPLETIONS))];
    words.add(`(${completions.map((word) => `"${word}"`).join(' OR ')})`);
  }
  return [...words];
}

const gapsOf = new WeakMap<Database, WordGaps>();

// Greater than every letter and digit.
const LAST_CHARACTER = '\u{10FFFF}';

// One by one, since the table has a row for each place of a word. The index has stems of words.
async function wordsBeginningWith(database: Database, beginning: string, most: number): Promise<string[]> {
  const gaps = gapsOf.get(database) ?? wordGaps();
  gapsOf.set(database, gaps);
  const words: string[] = [];
  const to = `${beginning}${LAST_CHARACTER}`;
  const begin = performance.now();
  let from = beginning;
  let now = begin;
  while (words.length < most && comesBefore(from, to) && now - begin < SLOW_MS) {
    const gap = gaps.nextAfter(from, now);
    const isTooMuch = gap !== undefined && comesBefore(gap.from, to) && gaps.isTimeUsedUp(now);
    if (gap !== undefined && (isTooMuch || !comesBefore(from, gap.from))) {
      from = gap.to;
      continue;
    }
    const next = await database.first(selectWord.sqlite({ from }));
    const took = performance.now() - now;
    now += took;
    gaps.note({ from, to: next?.term ?? LAST_CHARACTER }, took, now);
    if (next === undefined || !comesBefore(next.term, to)) break;
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

const selectWords = {
  sqlite: sql<{ ids: string }, { id: number; words: string }>`
  SELECT post_id AS id, words FROM post_words WHERE post_id IN (SELECT value FROM json_each(:ids))`,
};

// The query of each post is another, since each has the post's block.
const selectInBlockOfEach = {
  sqlite: sql<{ matches: string }, { id: number }>`
  SELECT post_search.rowid AS id FROM json_each(:matches) AS post
  CROSS JOIN post_search
    ON post_search MATCH post.value ->> 'match' AND post_search.rowid = cast(post.value ->> 'id' AS bigint)`,
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
  sqlite: sql<{ from: string }, { term: string }>`
  SELECT coalesce(term, '') AS term FROM post_search_terms WHERE term >= :from LIMIT 1`,
};
