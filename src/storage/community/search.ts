// Searching the words of posts, in each database's own index of them. A search goes from the newest posts to older ones
// in steps. It ends when it has enough posts or takes too long, and the caller can continue it from there.

import type { FoundIds, SearchBounds, SearchReads } from '../../community/search-store.ts';
import { otherWork } from '../../lib/other-work.ts';
import { type Database, ReadTooSlow } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { foundPosts } from './found-posts.ts';
import { postgresSteps } from './search-postgres.ts';
import { isBeginningInIndex, sqliteSteps } from './search-sqlite.ts';
import { narrowed, type Part, type Steps } from './search-steps.ts';

// A search for common words can read every post. Nobody waits longer for one, and less to have them counted: in the
// index, or by reading on.
const MOST_MS = 500;
const MOST_MS_COUNTING = 3;
const MOST_MS_READING_ON = 10;

export function search(database: Database): SearchReads {
  return {
    ...foundPosts(database),
    async postIdsWith(query, bounds) {
      const { dialect } = database;
      const ofAll =
        dialect === 'postgres' ? postgresSteps(database, query) : await sqliteSteps(database, query);
      const highest = (await database.first(selectHighest()))?.postId ?? 0;
      const below = Math.min(bounds.below, highest + 1);
      const steps = await narrowed(database, query, ofAll);
      return walk(steps, { ...bounds, below }, ofAll.isInProcess ?? false);
    },
    async canBeBeginning(word) {
      return database.dialect === 'postgres' || (await isBeginningInIndex(database, word));
    },
  };
}

async function walk(
  steps: Steps,
  { below, most, enough }: SearchBounds,
  isInProcess: boolean,
): Promise<FoundIds> {
  const begin = performance.now();
  const ids: number[] = [];
  let count = 0;
  let next = below;
  const mostMsToCount = steps.count === undefined ? MOST_MS_READING_ON : MOST_MS_COUNTING;
  let foundEnoughAt: number | undefined;
  let worked = 0;
  for (let step = 0; next > 1 && count < most; step += 1) {
    if (step > 0) await otherWork(worked);
    const isEnough = ids.length >= enough;
    if (isEnough) foundEnoughAt ??= performance.now();
    const end = foundEnoughAt === undefined ? begin + MOST_MS : foundEnoughAt + mostMsToCount;
    const start = performance.now();
    const patience = end - start;
    if (patience <= 0) break;
    if (isEnough && steps.count !== undefined) {
      const part = await steps.count(next, most - count);
      count += part.count;
      if (count < most) next = part.next;
    } else {
      const limit = (steps.count === undefined ? most : enough) - ids.length;
      const part = await readStep(() => steps.read(next, limit, step, patience), step);
      if (part === undefined) break;
      ids.push(...part.ids);
      count += part.ids.length;
      next = part.next;
    }
    // Nobody waits for what PostgreSQL reads.
    worked = isInProcess ? performance.now() - start : 0;
  }
  return { ids, count, searchedFrom: next > 1 ? next : 0 };
}

/** Read a step. Undefined if it takes too long and is not the first. */
async function readStep(read: () => Promise<Part>, step: number): Promise<Part | undefined> {
  try {
    return await read();
  } catch (error) {
    if (step === 0 || !(error instanceof ReadTooSlow)) throw error;
    return undefined;
  }
}

const selectHighest = sql<void, { postId: number }>`
  SELECT post_id AS "postId" FROM post_words ORDER BY post_id DESC LIMIT 1`;
