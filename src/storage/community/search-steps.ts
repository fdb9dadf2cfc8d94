// The steps of a search, from the newest posts to older ones.

import type { PostQuery } from '../../community/search-store.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

/** What a step found, newest first, and the id below which nothing is searched yet: 1 at the end. */
export interface Part {
  ids: number[];
  next: number;
}

export interface Steps {
  /**
   * The newest ids below this one, at most `limit`. `step` is 0 at first. PostgreSQL stops after so many milliseconds,
   * and then this throws `ReadTooSlow`.
   */
  read(below: number, limit: number, step: number, patienceMs: number): Promise<Part>;
  /** How many there are, up to the limit. Missing where that takes as long as to read them. */
  count?: ((below: number, limit: number) => Promise<{ count: number; next: number }>) | undefined;
}

/** The steps of a search in one of the databases. */
export interface SearchSteps extends Steps {
  /** Whether few posts have one of the words, so that all can be searched soon. Missing where that isn't known. */
  isOfFewPosts?: boolean;
  /** Whether the index knows the authors of posts. */
  knowsAuthors?: boolean;
  /** Whether this process reads, so that others wait meanwhile. */
  isInProcess?: boolean;
  /** Which of these posts are found. Missing where that can take long. */
  among?: ((ids: readonly number[], patienceMs: number) => Promise<number[]>) | undefined;
}

// More posts of one author are not searched.
const MOST_OF_AUTHOR = 20_000;
// A tag that more posts have is found soon among the posts with the words.
const MOST_OF_TAG = 2000;
// SQLite looks for the words in each post by itself, which takes a millisecond for some queries.
const [FIRST_IN_PROCESS, MOST_IN_STEP] = [4, 50];
// After a quicker step in this process the next has twice as many posts.
const QUICK_MS = 2;
/** A step in this process should take no longer. */
export const SLOW_MS = 8;

/**
 * The same search over the posts of an author or with a tag, which are few, where that is possible: searching all posts
 * for a frequent word would take long to find them.
 */
export async function narrowed(
  database: Database,
  { authorId, tagId }: PostQuery,
  ofAll: SearchSteps,
): Promise<Steps> {
  const { among, isOfFewPosts = false, knowsAuthors = false } = ofAll;
  if (among === undefined || isOfFewPosts) return ofAll;
  const stepsAmong = (posts: readonly { id: number }[]) => stepsOf(posts, among, ofAll.isInProcess === true);
  if (authorId !== undefined && !knowsAuthors) {
    return stepsAmong(await database.rows(selectOfAuthor({ authorId, limit: MOST_OF_AUTHOR })));
  }
  if (tagId === undefined) return ofAll;
  const rows = await database.rows(selectOfTag({ tagId, limit: MOST_OF_TAG + 1 }));
  return rows.length > MOST_OF_TAG ? ofAll : stepsAmong(rows);
}

/** The steps of a search among these posts. */
export function stepsOf(
  posts: readonly { id: number }[],
  among: NonNullable<SearchSteps['among']>,
  isInProcess: boolean,
): Steps {
  const ids = posts.map(({ id }) => id).sort((a, b) => b - a);
  let length = isInProcess ? FIRST_IN_PROCESS : MOST_IN_STEP;
  return {
    async read(below, limit, _, patience) {
      const older = ids.filter((id) => id < below);
      const last = older[length - 1] ?? 1;
      const begin = performance.now();
      const found = await among(older.slice(0, length), patience);
      const took = performance.now() - begin;
      if (isInProcess && took > SLOW_MS) length = Math.ceil(length / 2);
      else if (took < QUICK_MS) length = Math.min(2 * length, MOST_IN_STEP);
      return partOf(found.sort((a, b) => b - a).slice(0, limit), limit, last);
    },
  };
}

/** What a step found that went as far as `from`, unless it has as many as were wanted. */
export function partOf(ids: number[], limit: number, from: number): Part {
  return { ids, next: ids.length < limit ? from : (ids.at(-1) ?? from) };
}

const selectOfAuthor = sql<{ authorId: number; limit: number }, { id: number }>`
  SELECT id FROM posts
  WHERE user_id = :authorId AND status = 'published'
  ORDER BY published_at DESC, id DESC LIMIT cast(:limit AS bigint)`;

// The walk begins below an id by itself: the index has the order of publication.
const selectOfTag = sql<{ tagId: number; limit: number }, { id: number }>`
  SELECT post_id AS id FROM post_tags WHERE tag_id = :tagId LIMIT cast(:limit AS bigint)`;
