// The steps of a search, from the newest posts to older ones.

import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

/** The ids of a step, and how many are wanted at most. */
export interface Step {
  from: number;
  /** It ends before this id. */
  below: number;
  limit: number;
}

export interface Steps {
  /** The first id of the step that ends before `below`. */
  from(below: number, step: number): number;
  /** The newest ids. PostgreSQL stops after so many milliseconds, and then this throws `ReadTooSlow`. */
  read(step: Step, patienceMs: number): Promise<number[]>;
}

/** The steps of a search in one of the databases. */
export interface SearchSteps extends Steps {
  /** Which of these posts are found. */
  among(ids: readonly number[], patienceMs: number): Promise<number[]>;
}

// More posts of one author are not searched.
const MOST_OF_AUTHOR = 20_000;
const POSTS_IN_STEP = 200;

/** The posts of one author. They are few, and searching those of all authors would take long to find them. */
export async function stepsOfAuthor(
  database: Database,
  authorId: number,
  below: number,
  among: SearchSteps['among'],
): Promise<Steps> {
  const rows = await database.rows(selectOfAuthor({ authorId, below, limit: MOST_OF_AUTHOR }));
  const ids = rows.map(({ id }) => id).sort((a, b) => b - a);
  return {
    from: (next) => ids.filter((id) => id < next)[POSTS_IN_STEP - 1] ?? 1,
    async read({ from, below: next, limit }, patience) {
      const found = await among(
        ids.filter((id) => id >= from && id < next),
        patience,
      );
      return found.sort((a, b) => b - a).slice(0, limit);
    },
  };
}

const selectOfAuthor = sql<{ authorId: number; below: number; limit: number }, { id: number }>`
  SELECT id FROM posts
  WHERE user_id = :authorId AND status = 'published' AND id < :below
  ORDER BY published_at DESC, id DESC LIMIT cast(:limit AS bigint)`;
