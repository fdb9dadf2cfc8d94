// Tags that operators rename, merge and hide, as rows. A name that a tag no longer has keeps a row, which refers to the
// tag: its heir. No heir has an heir.

import type { AuditAction } from '../../audit/audit-log.ts';
import type { Doer } from '../../audit/doer.ts';
import type { ChangedTag, TagChangeReads, TagWrites } from '../../community/tag-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { entry, NO_ENTRY } from '../audit/audit-trail.ts';
import { type AuditTrail, type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';

export function tagChangeRows(database: Database): TagChangeReads & TagWrites {
  return {
    changedTags: async (limit) => database.rows(selectChanged({ limit })),
    async renameTag(by, { id, name: from }, to, hadName) {
      const names = { id, from, to };
      return runGuarded(database, {
        audit: entryOf(by, 'tag.rename', from, { name: to }),
        turn: 'tags',
        guard: hadName ? deleteEarlierName(names) : updateName(names),
        effects: [...(hadName ? [updateName(names)] : []), insertEarlierName({ id, from })],
      });
    },
    async mergeTag(by, { id: from, name }, { id: to, name: into }) {
      const isMerged = await runGuarded(database, {
        audit: entryOf(by, 'tag.merge', name, { into }),
        turn: 'tags',
        guard: setHeir({ from, to }),
        effects: [setHeirOfEarlierNames({ from, to })],
      });
      // All posts of most tags.
      if (isMerged) await movePostsOfMergedTag(database);
      return isMerged;
    },
    async hideTag(by, { id, name }) {
      const audit = entryOf(by, 'tag.hide', name);
      return runGuarded(database, { audit, turn: 'tags', guard: setHidden({ id, at: by.at }) });
    },
    async showTag(by, { id, name }) {
      const audit = entryOf(by, 'tag.show', name);
      return runGuarded(database, { audit, turn: 'tags', guard: setShown({ id }) });
    },
  };
}

function entryOf(
  by: Doer,
  action: AuditAction,
  name: string,
  detail: Readonly<Record<string, unknown>> = {},
): AuditTrail {
  return entry(by, { action, subject: { kind: 'tag', id: name }, detail });
}

// So many take SQLite some milliseconds.
const STEP = 300;

/**
 * Give some posts and followers of a merged tag to its heir, the newest posts first. Returns 0 if nothing is left to
 * move.
 */
export async function movePostsOfMergedTag(database: Database): Promise<number> {
  const merged = await database.first(selectMerged());
  if (merged === undefined) return 0;
  const { from } = merged;
  const post = (await database.rows(selectPosts({ from, limit: STEP }))).at(-1);
  const follower = (await database.rows(selectFollowers({ from, limit: STEP }))).at(-1);
  const effects = [
    ...(post === undefined ? [] : moveSince({ ...merged, ...post })),
    ...(follower === undefined ? [] : moveUpTo({ ...merged, ...follower })),
  ];
  // The guard locks the tag: posts that get it or lose it meanwhile come before or after the step.
  await database.atomically({ audit: NO_ENTRY, guard: lockMerged(merged), effects });
  return 1;
}

function moveSince(since: Merged & PlaceInTag): Bound<unknown>[] {
  const { from, at, postId } = since;
  return [
    countMoved(since),
    copyPosts(since),
    uncountMoved({ from, at, postId }),
    deletePosts({ from, at, postId }),
  ];
}

function moveUpTo(through: Merged & Follower): Bound<unknown>[] {
  const { from, userId } = through;
  return [copyFollowers(through), deleteFollowers({ from, userId })];
}

const selectChanged = sql<{ limit: number }, ChangedTag>`
  SELECT tags.name, CASE WHEN heirs.hidden_at IS NULL THEN heirs.name END AS "shownAs"
  FROM tags JOIN tags AS heirs ON heirs.id = tags.heir_id
  WHERE tags.heir_id IS NOT NULL
  UNION ALL
  SELECT hidden.name, cast(NULL AS text) AS "shownAs" FROM tags AS hidden WHERE hidden.hidden_at IS NOT NULL
  LIMIT cast(:limit AS bigint)`;

interface NameChange {
  id: number;
  from: string;
  to: string;
}

const updateName = sql<NameChange>`
  UPDATE tags SET name = :to
  WHERE id = :id AND name = :from AND heir_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM tags AS other WHERE other.name = :to)`;

const insertEarlierName = sql<{ id: number; from: string }>`
  INSERT INTO tags (name, heir_id) VALUES (:from, :id)`;

// A tag that was merged into this one keeps its row until its posts and followers have moved.
const deleteEarlierName = sql<NameChange>`
  DELETE FROM tags
  WHERE name = :to AND heir_id = :id
    AND EXISTS (SELECT 1 FROM tags AS present WHERE present.id = :id AND present.name = :from)
    AND NOT EXISTS (SELECT 1 FROM post_tags WHERE post_tags.tag_id = tags.id)
    AND NOT EXISTS (SELECT 1 FROM tag_follows WHERE tag_follows.tag_id = tags.id)`;

interface Merged {
  from: number;
  to: number;
}

const setHeir = sql<Merged>`
  UPDATE tags SET heir_id = :to, hidden_at = NULL
  WHERE id = :from AND heir_id IS NULL
    AND EXISTS (SELECT 1 FROM tags AS heir WHERE heir.id = :to AND heir.id <> :from AND heir.heir_id IS NULL)`;

const setHeirOfEarlierNames = sql<Merged>`
  UPDATE tags SET heir_id = :to WHERE heir_id = :from`;

const setHidden = sql<{ id: number; at: Timestamp }>`
  UPDATE tags SET hidden_at = :at WHERE id = :id AND heir_id IS NULL AND hidden_at IS NULL`;

const setShown = sql<{ id: number }>`
  UPDATE tags SET hidden_at = NULL WHERE id = :id AND hidden_at IS NOT NULL`;

const selectMerged = sql<void, Merged>`
  SELECT id AS "from", coalesce(heir_id, 0) AS "to" FROM tags
  WHERE heir_id IS NOT NULL
    AND (EXISTS (SELECT 1 FROM post_tags WHERE post_tags.tag_id = tags.id)
      OR EXISTS (SELECT 1 FROM tag_follows WHERE tag_follows.tag_id = tags.id))
  LIMIT 1`;

const lockMerged = sql<Merged>`
  UPDATE tags SET name = name WHERE id = :from AND heir_id = :to`;

interface PlaceInTag {
  at: Timestamp;
  postId: number;
}

const selectPosts = sql<{ from: number; limit: number }, PlaceInTag>`
  SELECT published_at AS at, post_id AS "postId" FROM post_tags
  WHERE tag_id = :from ORDER BY published_at DESC, post_id DESC LIMIT cast(:limit AS bigint)`;

const MOVED = fragment`
  FROM post_tags AS moved WHERE moved.tag_id = :from AND (moved.published_at, moved.post_id) >= (:at, :postId)`;

// Some posts have both tags.
const countMoved = sql<Merged & PlaceInTag>`
  UPDATE tags SET post_count = post_count + (
    SELECT count(*) ${MOVED} AND NOT EXISTS (
      SELECT 1 FROM post_tags AS own WHERE own.post_id = moved.post_id AND own.tag_id = :to))
  WHERE id = :to`;

const copyPosts = sql<Merged & PlaceInTag>`
  INSERT INTO post_tags (post_id, tag_id, published_at, language, popularity)
  SELECT moved.post_id, :to, moved.published_at, moved.language, moved.popularity ${MOVED}
  ON CONFLICT DO NOTHING`;

const uncountMoved = sql<{ from: number } & PlaceInTag>`
  UPDATE tags SET post_count = post_count - (SELECT count(*) ${MOVED}) WHERE id = :from`;

const deletePosts = sql<{ from: number } & PlaceInTag>`
  DELETE FROM post_tags WHERE tag_id = :from AND (published_at, post_id) >= (:at, :postId)`;

interface Follower {
  userId: number;
}

const selectFollowers = sql<{ from: number; limit: number }, Follower>`
  SELECT user_id AS "userId" FROM tag_follows
  WHERE tag_id = :from ORDER BY user_id LIMIT cast(:limit AS bigint)`;

const copyFollowers = sql<Merged & Follower>`
  INSERT INTO tag_follows (user_id, tag_id, created_at)
  SELECT user_id, :to, created_at FROM tag_follows WHERE tag_id = :from AND user_id <= :userId
  ON CONFLICT DO NOTHING`;

const deleteFollowers = sql<{ from: number } & Follower>`
  DELETE FROM tag_follows WHERE tag_id = :from AND user_id <= :userId`;
