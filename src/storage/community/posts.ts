// Posts, as rows: the writes. A removed post keeps its row and its number.

import type { MemberDoer } from '../../audit/doer.ts';
import type { NewPost, PostWrites, PreparedText } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type Actor, entryBy, ownAct } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { insertWordsOfNewPost, setWords } from './post-words.ts';
import { addXp, addXpIfPublished, takeXpBackIfPublished } from './xp.ts';

export function postRows(database: Database): PostWrites {
  const { dialect } = database;
  return {
    async addPost(by, post) {
      const { userId, status, xp, words } = post;
      const detail = JSON.stringify({ status });
      const { rows } = await database.atomically({
        audit: entryBy(by, (actor) => insertPostEvent[dialect]({ ...actor, userId, detail })),
        guard: insertPost(postRow(post, by.at)),
        effects: [insertWordsOfNewPost[dialect]({ words }), ...(xp > 0 ? [addXp({ userId, xp })] : [])],
      });
      const [row] = rows;
      if (row === undefined) throw new Error('The insertion of a post returned no number.');
      return row.id;
    },
    async saveDraft(by, id, text, version) {
      const { rows } = await database.atomically({
        audit: ownAct(by),
        guard: updateDraft(revisionOf(by, id, text, version)),
        effects: [setWords({ id, words: text.words })],
      });
      return rows[0]?.updated_at;
    },
    async editPost(by, id, text, version) {
      const { rows } = await database.atomically({
        audit: ownAct(by),
        guard: updatePost(revisionOf(by, id, text, version)),
        effects: [setWords({ id, words: text.words })],
      });
      return rows[0]?.updated_at;
    },
    async publishDraft(by, id, xp) {
      const { userId, at } = by;
      const outcome = await database.atomically({
        audit: ownAct(by),
        guard: markPublished({ id, userId, at }),
        effects: [addXp({ userId, xp })],
      });
      return outcome.happened;
    },
    async removePost(by, id, xp) {
      const { userId, at } = by;
      const outcome = await database.atomically({
        audit: ownAct(by),
        guard: markRemoved({ id, userId, at }),
        effects: [takeXpBackIfPublished({ postId: id, userId, xp })],
      });
      return outcome.happened;
    },
    async restorePost(by, id, xp, since) {
      const { userId } = by;
      const outcome = await database.atomically({
        audit: ownAct(by),
        guard: markRestored({ id, userId, since }),
        effects: [addXpIfPublished({ postId: id, userId, xp })],
      });
      return outcome.happened;
    },
  };
}

interface OfAuthor {
  id: number;
  userId: number;
}

interface NewPostRow {
  user_id: number;
  category_id: number;
  status: NewPost['status'];
  title: string;
  body: string;
  excerpt: string;
  created_at: Timestamp;
  published_at: Timestamp | null;
  popularity: number;
}

export const insertPost = sql<NewPostRow, { id: number }>`
  INSERT INTO posts (user_id, category_id, status, title, body, excerpt,
    created_at, updated_at, published_at, heat)
  VALUES (:user_id, :category_id, :status, :title, :body, :excerpt,
    :created_at, :created_at, :published_at, :popularity)
  RETURNING id`;

export function postRow(post: NewPost, at: Timestamp): NewPostRow {
  const isPublished = post.status === 'published';
  return {
    user_id: post.userId,
    category_id: post.categoryId,
    status: post.status,
    title: post.title,
    body: post.body,
    excerpt: post.excerpt,
    created_at: at,
    published_at: isPublished ? at : null,
    popularity: isPublished ? at : 0,
  };
}

type Revision = Omit<PreparedText, 'words'> & OfAuthor & { at: Timestamp; version: Timestamp | null };

interface PostEvent extends Actor {
  userId: number;
  detail: string;
}

/** Writes the entry about the post that the same transaction has inserted. */
const insertPostEvent = {
  // SQLite runs one transaction at a time, and a new post has the highest number.
  sqlite: sql<PostEvent>`
    INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
    SELECT :at, :actorId, 'post.create', 'post', cast(max(id) AS text), :detail
    FROM posts
    WHERE user_id = :userId`,
  postgres: sql<PostEvent>`
    INSERT INTO audit_events (at, actor_id, action, subject_kind, subject_id, detail)
    SELECT :at, :actorId, 'post.create', 'post', cast(id AS text), :detail
    FROM posts
    WHERE user_id = :userId AND id = currval(pg_get_serial_sequence('posts', 'id'))`,
};

function revisionOf(
  { userId, at }: MemberDoer,
  id: number,
  text: PreparedText,
  version: Timestamp | undefined,
): Revision {
  const { title, body, excerpt, categoryId } = text;
  return { id, userId, at, version: version ?? null, title, body, excerpt, categoryId };
}

// `updated_at` is the version of the text, so it never stays the same. Without a version any text is
// overwritten.
const REVISE_POST = fragment`
  UPDATE posts
  SET title = :title, body = :body, excerpt = :excerpt, category_id = :categoryId,
    updated_at = CASE WHEN updated_at >= :at THEN updated_at + 1 ELSE :at END
  WHERE id = :id AND user_id = :userId
    AND (cast(:version AS bigint) IS NULL OR updated_at = :version)`;

const updatePost = sql<Revision, { updated_at: Timestamp }>`
  ${REVISE_POST} AND status IN ('draft', 'published')
  RETURNING updated_at`;

const updateDraft = sql<Revision, { updated_at: Timestamp }>`
  ${REVISE_POST} AND status = 'draft'
  RETURNING updated_at`;

// A draft can lack its title or its body. A published post has both.
const markPublished = sql<OfAuthor & { at: Timestamp }>`
  UPDATE posts SET status = 'published', published_at = :at, updated_at = :at, heat = :at
  WHERE id = :id AND user_id = :userId AND status = 'draft' AND title <> '' AND body <> ''`;

const markRemoved = sql<OfAuthor & { at: Timestamp }>`
  UPDATE posts SET status = 'removed', removed_at = :at, removed_by = NULL
  WHERE id = :id AND user_id = :userId AND status IN ('draft', 'published')`;

// The author can't restore a post that an operator removed.
const markRestored = sql<OfAuthor & { since: Timestamp }>`
  UPDATE posts
  SET status = CASE WHEN published_at IS NULL THEN 'draft' ELSE 'published' END,
    removed_at = NULL,
    removed_by = NULL
  WHERE id = :id AND user_id = :userId AND status = 'removed' AND removed_at > :since
    AND (removed_by IS NULL OR removed_by = user_id)`;
