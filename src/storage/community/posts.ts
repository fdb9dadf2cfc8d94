// Posts, as rows: the writes. A removed post keeps its row and its id.

import type { NewPost, PostWrites, PreparedText } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Actor, entryBy, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE, IS_ACTIVE_LOCKED } from '../identity/users.ts';
import { mentionsInNewPost, mentionsInPost } from './mentions.ts';
import { NEW_POST_ID } from './new-row.ts';
import { usesInChangedPost, usesInNewPost } from './picture-uses.ts';
import { IS_ACTIVE_LOCKED_AFTER_POST, LOCKED_POST } from './post-lock.ts';
import { deleteWords, insertWordsOfNewPost, setWordsIfPublished } from './post-words.ts';
import { deleteTagsOf, NO_TAGS, setTagsOf, setTagsOfNewPost } from './tags.ts';
import { addXp, addXpIfPublished, takeXpBackIfPublished } from './xp.ts';

export function postRows(database: Database): PostWrites {
  const { dialect } = database;

  return {
    async addPost(by, post) {
      const { userId, status, xp, words, tags = NO_TAGS } = post;
      const detail = JSON.stringify({ status });
      const { rows } = await database.atomically({
        audit: entryBy(by, (actor) => insertPostEvent[dialect]({ ...actor, userId, detail })),
        guard: insertPostOfActive[dialect]({ ...post, at: by.at }),
        effects: [
          ...(status === 'published' ? [insertWordsOfNewPost[dialect]({ words })] : []),
          ...(status === 'published' && tags !== NO_TAGS ? setTagsOfNewPost(dialect) : []),
          ...usesInNewPost(dialect, { userId, at: by.at }, post.pictures),
          ...(xp > 0 ? [addXp({ userId, xp })] : []),
          // The last, since they look for the post that was inserted last.
          ...mentionsInNewPost(database.dialect, post, by.at),
        ],
      });
      return rows[0]?.id;
    },
    async saveDraft(by, id, text, version) {
      const { userId, at } = by;
      const guard = updateDraft({ ...text, id, userId, at, version });
      const effects = usesInChangedPost(dialect, { userId, at, postId: id }, text.pictures);
      const { rows } = await database.atomically({ audit: ownAct(by), guard, effects });
      return rows[0]?.updatedAt;
    },
    async editPost(by, id, { words, mentioned, ...text }, version) {
      const { userId, at } = by;
      const guard = updatePost({ ...text, id, userId, at, version });
      const effects = [
        setWordsIfPublished({ id, words }),
        ...setTagsOf(dialect, id),
        ...usesInChangedPost(dialect, { userId, at, postId: id }, text.pictures),
        ...mentionsInPost(mentioned, { postId: id, actorId: userId, at }),
      ];
      const { rows } = await database.atomically({ audit: ownAct(by), guard, effects });
      return rows[0]?.updatedAt;
    },
    async publishDraft(by, id, { version, words, xp, mentioned }) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: markPublished({ id, userId, at, version }),
        effects: [
          setWordsIfPublished({ id, words }),
          ...setTagsOf(dialect, id),
          addXp({ userId, xp }),
          ...mentionsInPost(mentioned, { postId: id, actorId: userId, at }),
        ],
      });
    },
    async removePost(by, id, xp) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: markRemoved({ id, userId, at }),
        effects: [
          deleteWords({ id }),
          ...deleteTagsOf(dialect, id),
          takeXpBackIfPublished({ postId: id, userId, xp }),
        ],
      });
    },
    async restorePost(by, id, { version, words, xp }, since) {
      const { userId } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: markRestored[dialect]({ postId: id, userId, since, version }),
        effects: [
          setWordsIfPublished({ id, words }),
          ...setTagsOf(dialect, id),
          addXpIfPublished({ postId: id, userId, xp }),
        ],
      });
    },
  };
}

interface OfAuthor {
  id: number;
  userId: number;
}

const INTO_POSTS = fragment`
  INSERT INTO posts (user_id, category_id, status, title, body, excerpt, language, reading_minutes, tags, picture, html,
    html_version,
    created_at, updated_at, published_at, heat)`;

// A published post starts with the popularity of its publication. A text that only its author reads has no stored
// HTML, which can be eight times as long.
const POST_VALUES = fragment`
  :userId, :categoryId, :status, :title, :body, :excerpt, cast(:language AS text), cast(:readingMinutes AS integer),
  coalesce(cast(:tags AS text), '[]'), cast(:picture AS text),
  CASE WHEN :status = 'published' THEN cast(:html AS text) END,
  coalesce(cast(:htmlVersion AS integer), 0), :at, :at,
  CASE WHEN :status = 'published' THEN cast(:at AS bigint) END,
  CASE WHEN :status = 'published' THEN cast(:at AS bigint) ELSE 0 END`;

type PostRow = Omit<NewPost, 'xp' | 'words' | 'mentioned' | 'pictures'> & { at: Timestamp };

/** Insert a post, whatever the state of its author's account. */
export const insertPost = sql<PostRow, { id: number }>`
  ${INTO_POSTS} VALUES (${POST_VALUES})
  RETURNING id`;

const insertPostOfActive = {
  sqlite: sql<PostRow, { id: number }>`
    ${INTO_POSTS} SELECT ${POST_VALUES} WHERE ${IS_ACTIVE}
    RETURNING id`,
  postgres: sql<PostRow, { id: number }>`
    ${INTO_POSTS} SELECT ${POST_VALUES} WHERE ${IS_ACTIVE_LOCKED}
    RETURNING id`,
};

type Revision = Omit<PreparedText, 'pictures'> & OfAuthor & { at: Timestamp; version: Timestamp | undefined };

interface PostEvent extends Actor {
  userId: number;
  detail: string;
}

/** Write the audit entry for the post that the same transaction has inserted. */
const insertPostEvent = {
  // SQLite runs one transaction at a time, and a new post has the highest id.
  sqlite: sql<PostEvent>`
    INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
    SELECT :at, :actorId, 'post.create', 'post', cast(max(id) AS text), :detail
    FROM posts
    WHERE user_id = :userId`,
  postgres: sql<PostEvent>`
    INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
    SELECT :at, :actorId, 'post.create', 'post', cast(id AS text), :detail
    FROM posts
    WHERE user_id = :userId AND id = ${NEW_POST_ID.postgres}`,
};

// `updated_at` is the version of the text, so every change makes it greater. Without a version, any text is
// overwritten.
const REVISE_POST = fragment`
  UPDATE posts
  SET title = :title, body = :body, excerpt = :excerpt, language = cast(:language AS text),
    reading_minutes = cast(:readingMinutes AS integer), category_id = :categoryId,
    tags = coalesce(cast(:tags AS text), tags), picture = cast(:picture AS text),
    html = CASE WHEN published_at IS NOT NULL THEN cast(:html AS text) END,
    html_version = coalesce(cast(:htmlVersion AS integer), 0),
    updated_at = CASE WHEN updated_at >= :at THEN updated_at + 1 ELSE :at END
  WHERE id = :id AND user_id = :userId AND ${IS_ACTIVE}
    AND (cast(:version AS bigint) IS NULL OR updated_at = :version)`;

const updatePost = sql<Revision, { updatedAt: Timestamp }>`
  ${REVISE_POST} AND status IN ('draft', 'published')
  RETURNING updated_at AS "updatedAt"`;

const updateDraft = sql<Revision, { updatedAt: Timestamp }>`
  ${REVISE_POST} AND status = 'draft'
  RETURNING updated_at AS "updatedAt"`;

// A draft can lack its title or its body. A published post has both, and is rendered when it is first read.
const markPublished = sql<OfAuthor & { at: Timestamp; version: Timestamp }>`
  UPDATE posts SET status = 'published', published_at = :at, updated_at = :at, heat = :at, html_version = 0,
    waiting_since = NULL, review_note = NULL
  WHERE id = :id AND user_id = :userId AND status = 'draft' AND updated_at = :version
    AND title <> '' AND body <> '' AND ${IS_ACTIVE}`;

// Without its HTML, which can be ten times as long as its text: removed posts are kept, and readers don't see them.
const markRemoved = sql<OfAuthor & { at: Timestamp }>`
  UPDATE posts SET status = 'removed', removed_at = :at, removed_by = NULL, pinned_at = NULL, html = NULL
  WHERE id = :id AND user_id = :userId AND status IN ('draft', 'published')`;

// The author can't restore a post that an operator removed, nor one that has open reports: its readers are
// protected until operators have decided.
const MARK_RESTORED = fragment`
  UPDATE posts
  SET status = CASE WHEN published_at IS NULL THEN 'draft' ELSE 'published' END,
    removed_at = NULL, removed_by = NULL, html_version = 0`;
const IS_RESTORABLE = fragment`
  user_id = :userId AND status = 'removed' AND removed_at > :since
    AND updated_at = :version AND (removed_by IS NULL OR removed_by = user_id)
    AND NOT EXISTS (
      SELECT 1 FROM reports
      WHERE reports.post_id = posts.id AND reports.comment_id IS NULL AND reports.resolved_at IS NULL)`;

interface Restored {
  postId: number;
  userId: number;
  since: Timestamp;
  version: Timestamp;
}

const markRestored = {
  sqlite: sql<Restored>`${MARK_RESTORED} WHERE ${IS_RESTORABLE} AND id = :postId AND ${IS_ACTIVE}`,
  postgres: sql<Restored>`
    ${LOCKED_POST} ${MARK_RESTORED} FROM post
    WHERE ${IS_RESTORABLE} AND id = locked_id AND ${IS_ACTIVE_LOCKED_AFTER_POST}`,
};
