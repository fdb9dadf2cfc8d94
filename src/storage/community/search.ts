// Searching the words of posts, in each database's own index of them. A search goes from the newest posts to older ones
// in steps. It ends when it has enough posts or takes too long, and the caller can continue it from there.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { FoundIds, SearchBounds, SearchReads } from '../../community/search-store.ts';
import { type Database, ReadTooSlow } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { foundPosts } from './found-posts.ts';
import { postgresSteps } from './search-postgres.ts';
import { sqliteSteps } from './search-sqlite.ts';
import { narrowed, type Step, type Steps } from './search-steps.ts';

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
      return walk(await narrowed(database, query, ofAll), { ...bounds, below });
    },
  };
}

async function walk(steps: Steps, { below, most, enough }: SearchBounds): Promise<FoundIds> {
  const begin = performance.now();
  const ids: number[] = [];
  let count = 0;
  let next = below;
  const mostMsToCount = steps.count === undefined ? MOST_MS_READING_ON : MOST_MS_COUNTING;
  let foundEnoughAt: number | undefined;
  for (let step = 0; next > 1 && count < most; step += 1) {
    const isEnough = ids.length >= enough;
    if (isEnough) foundEnoughAt ??= performance.now();
    const end = foundEnoughAt === undefined ? begin + MOST_MS : foundEnoughAt + mostMsToCount;
    const patience = end - performance.now();
    if (patience <= 0) break;
    const from = Math.max(1, steps.from(next, step));
    const range = { from, below: next };
    if (isEnough && steps.count !== undefined) {
      count += await steps.count({ ...range, limit: most - count });
      if (count < most) next = from;
    } else {
      const limit = (steps.count === undefined ? most : enough) - ids.length;
      const found = await readStep(steps, { ...range, limit }, patience, step);
      if (found === undefined) break;
      ids.push(...found);
      count += found.length;
      next = found.length < limit ? from : (ids.at(-1) ?? from);
    }
    await otherWork();
  }
  return { ids, count, searchedFrom: next > 1 ? next : 0 };
}

/** Read a step. Undefined if it takes too long and is not the first. */
async function readStep(
  steps: Steps,
  step: Step,
  patience: number,
  number: number,
): Promise<number[] | undefined> {
  try {
    return await steps.read(step, patience);
  } catch (error) {
    if (number === 0 || !(error instanceof ReadTooSlow)) throw error;
    return undefined;
  }
}

const selectHighest = sql<void, { postId: number }>`
  SELECT post_id AS "postId" FROM post_words ORDER BY post_id DESC LIMIT 1`;
