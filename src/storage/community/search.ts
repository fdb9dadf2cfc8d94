// Searching the words of posts, in each database's own index of them. A search goes from the newest posts to older ones
// in steps. It ends when it has enough posts or takes too long, and the caller can continue it from there.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { FoundIds, SearchBounds, SearchReads } from '../../community/search-store.ts';
import { type Database, ReadTooSlow } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';
import { foundPosts } from './found-posts.ts';
import { postgresSteps } from './search-postgres.ts';
import { sqliteSteps } from './search-sqlite.ts';
import { narrowed, type Steps } from './search-steps.ts';

// A search for common words can read every post. Nobody waits longer for one, and less to have them counted.
const MOST_MS = 500;
const MOST_MS_FOR_COUNT = 30;

export function search(database: Database): SearchReads {
  return {
    ...foundPosts(database),
    async postIdsWith(query, bounds) {
      const ofAll =
        database.dialect === 'postgres' ? postgresSteps(database, query) : await sqliteSteps(database, query);
      const highest = (await database.first(selectHighest()))?.postId ?? 0;
      const below = Math.min(bounds.below, highest + 1);
      const steps = await narrowed(database, query, below, ofAll);
      return walk(steps, { ...bounds, below });
    },
  };
}

async function walk(steps: Steps, { below, most, enough }: SearchBounds): Promise<FoundIds> {
  const begin = performance.now();
  const ids: number[] = [];
  let next = below;
  for (let step = 0; next > 1 && ids.length < most; step += 1) {
    const limit = ids.length < enough ? MOST_MS : MOST_MS_FOR_COUNT;
    const patience = limit - (performance.now() - begin);
    if (patience <= 0) break;
    const from = Math.max(1, steps.from(next, step));
    try {
      ids.push(...(await steps.read({ from, below: next, limit: most - ids.length }, patience)));
    } catch (error) {
      if (step === 0 || !(error instanceof ReadTooSlow)) throw error;
      break;
    }
    next = ids.length < most ? from : (ids.at(-1) ?? from);
    await otherWork();
  }
  return { ids, searchedFrom: next > 1 ? next : 0 };
}

const selectHighest = sql<void, { postId: number }>`
  SELECT post_id AS "postId" FROM post_words ORDER BY post_id DESC LIMIT 1`;
