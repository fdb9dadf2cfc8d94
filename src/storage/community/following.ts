// Whom and what members follow, as rows, and the posts of all of them in one list.

import type { Cursor } from '../../community/feed.ts';
import type { FollowedMember, FollowedTag, FollowingStore } from '../../community/following-store.ts';
import type { PostSummary } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { IS_ACTIVE } from '../identity/users.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function followingRows(database: Database): FollowingStore {
  return {
    async follow(by, followed, most) {
      const { userId, at } = by;
      const guard =
        'tagId' in followed
          ? insertTag({ ...followed, userId, at, most })
          : insertMember({ ...followed, userId, at, most });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async unfollow(by, followed) {
      const { userId } = by;
      const guard =
        'tagId' in followed ? deleteTag({ ...followed, userId }) : deleteMember({ ...followed, userId });
      return runGuarded(database, { audit: ownAct(by), guard });
    },
    async follows(userId, followed) {
      const row =
        'tagId' in followed
          ? await database.first(selectTag({ ...followed, userId }))
          : await database.first(selectMember({ ...followed, userId }));
      return row !== undefined;
    },
    followedMembers: async (userId) => database.rows(selectMembers({ userId })),
    followedTags: async (userId) => database.rows(selectTags({ userId })),
    followedPosts: async (userId, after, limit) =>
      database.rows(selectPosts[database.dialect]({ userId, ...after, limit })),
    countFollowers: async (memberId, most) =>
      (await database.first(countFollowersOf({ memberId, most })))?.count ?? 0,
  };
}

interface OfMember {
  userId: number;
  memberId: number;
}

interface OfTag {
  userId: number;
  tagId: number;
}

interface Following {
  at: Timestamp;
  most: number;
}

const FOLLOWS_FEWER = fragment`
  (SELECT count(*) FROM member_follows WHERE member_follows.user_id = :userId)
    + (SELECT count(*) FROM tag_follows WHERE tag_follows.user_id = :userId) < :most`;

const insertMember = sql<OfMember & Following>`
  INSERT INTO member_follows (user_id, member_id, created_at)
  SELECT :userId, member.id, :at FROM users AS member
  WHERE member.id = :memberId AND member.id <> :userId AND member.status <> 'closed'
    AND ${IS_ACTIVE} AND ${FOLLOWS_FEWER}
  ON CONFLICT DO NOTHING`;

const insertTag = sql<OfTag & Following>`
  INSERT INTO tag_follows (user_id, tag_id, created_at)
  SELECT :userId, tags.id, :at FROM tags
  WHERE tags.id = :tagId AND ${IS_ACTIVE} AND ${FOLLOWS_FEWER}
  ON CONFLICT DO NOTHING`;

const deleteMember = sql<OfMember>`
  DELETE FROM member_follows WHERE user_id = :userId AND member_id = :memberId`;

const deleteTag = sql<OfTag>`
  DELETE FROM tag_follows WHERE user_id = :userId AND tag_id = :tagId`;

const selectMember = sql<OfMember, { member_id: number }>`
  SELECT member_id FROM member_follows WHERE user_id = :userId AND member_id = :memberId`;

const selectTag = sql<OfTag, { tag_id: number }>`
  SELECT tag_id FROM tag_follows WHERE user_id = :userId AND tag_id = :tagId`;

const selectMembers = sql<{ userId: number }, FollowedMember>`
  SELECT users.id, users.username, users.avatar, member_follows.created_at AS since
  FROM member_follows JOIN users ON users.id = member_follows.member_id
  WHERE member_follows.user_id = :userId AND users.status <> 'closed'
  ORDER BY member_follows.created_at DESC, users.id DESC`;

const selectTags = sql<{ userId: number }, FollowedTag>`
  SELECT tags.id, tags.name, CASE WHEN tags.hidden_at IS NULL THEN tags.post_count ELSE 0 END AS "postCount",
    tag_follows.created_at AS since
  FROM tag_follows JOIN tags ON tags.id = tag_follows.tag_id
  WHERE tag_follows.user_id = :userId
  ORDER BY tag_follows.created_at DESC, tags.id DESC`;

const countFollowersOf = sql<{ memberId: number; most: number }, { count: number }>`
  SELECT count(*) AS count FROM (
    SELECT user_id FROM member_follows WHERE member_id = :memberId LIMIT cast(:most AS bigint)
  ) AS followers`;

// Each member and tag with its newest post. Materialized, so that each is looked up in an index once.
const SOURCES = fragment`
  sources AS MATERIALIZED (
    SELECT member_follows.member_id AS member_id, cast(NULL AS bigint) AS tag_id, (
      SELECT posts.published_at FROM posts
      WHERE posts.user_id = member_follows.member_id AND posts.status = 'published'
        AND (posts.published_at, posts.id) < (:at, :id)
      ORDER BY posts.published_at DESC, posts.id DESC LIMIT 1) AS at
    FROM member_follows WHERE member_follows.user_id = :userId
    UNION ALL
    SELECT cast(NULL AS bigint) AS member_id, tag_follows.tag_id AS tag_id, (
      SELECT post_tags.published_at FROM post_tags
      WHERE post_tags.tag_id = tag_follows.tag_id AND (post_tags.published_at, post_tags.post_id) < (:at, :id)
      ORDER BY post_tags.published_at DESC, post_tags.post_id DESC LIMIT 1) AS at
    FROM tag_follows WHERE tag_follows.user_id = :userId
  )`;

// Older posts can't be on the page: so many members and tags have newer ones. 0 if there are fewer. In a place of its
// own, because PostgreSQL would count the time for it with each member and tag, and compile the statement.
const OLDEST = fragment`
  oldest AS MATERIALIZED (
    SELECT CASE WHEN count(*) = :limit THEN min(at) ELSE 0 END AS at
    FROM (SELECT DISTINCT at FROM sources WHERE at IS NOT NULL
      ORDER BY at DESC LIMIT cast(:limit AS bigint)) AS latest
  )`;

// Most members and tags have no post that is so new.
const HAS_NEW = fragment`sources.at >= (SELECT oldest.at FROM oldest)`;

const POSTS_OF_MEMBER = fragment`
  SELECT newest.id, newest.published_at AS at FROM posts AS newest
  WHERE newest.user_id = sources.member_id AND newest.status = 'published'
    AND (newest.published_at, newest.id) < (:at, :id) AND newest.published_at >= (SELECT oldest.at FROM oldest)
  ORDER BY newest.published_at DESC, newest.id DESC LIMIT cast(:limit AS bigint)`;

const POSTS_OF_TAG = fragment`
  SELECT newest.post_id AS id, newest.published_at AS at FROM post_tags AS newest
  WHERE newest.tag_id = sources.tag_id
    AND (newest.published_at, newest.post_id) < (:at, :id) AND newest.published_at >= (SELECT oldest.at FROM oldest)
  ORDER BY newest.published_at DESC, newest.post_id DESC LIMIT cast(:limit AS bigint)`;

interface Page extends Cursor {
  userId: number;
  limit: number;
}

// Few posts are read besides those of the page.
const PAGE = fragment`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published' AND posts.id IN (
    SELECT id FROM candidates ORDER BY at DESC, id DESC LIMIT cast(:limit AS bigint))
  ORDER BY posts.published_at DESC, posts.id DESC`;

// SQLite reads a subquery of another row only as a value, such as an array.
const ARRAY = fragment`json_group_array(json_array(own.at, own.id))`;
const CANDIDATE = fragment`own.value ->> 1 AS id, own.value ->> 0 AS at`;

const selectPosts = {
  sqlite: sql<Page, PostSummary>`
    WITH ${SOURCES}, ${OLDEST}, candidates AS (
      SELECT ${CANDIDATE}
      FROM sources, json_each((SELECT ${ARRAY} FROM (${POSTS_OF_MEMBER}) AS own)) AS own
      WHERE sources.member_id IS NOT NULL AND ${HAS_NEW}
      UNION
      SELECT ${CANDIDATE}
      FROM sources, json_each((SELECT ${ARRAY} FROM (${POSTS_OF_TAG}) AS own)) AS own
      WHERE sources.tag_id IS NOT NULL AND ${HAS_NEW}
    )
    ${PAGE}`,
  postgres: sql<Page, PostSummary>`
    WITH ${SOURCES}, ${OLDEST}, candidates AS (
      SELECT own.id, own.at FROM sources CROSS JOIN LATERAL (${POSTS_OF_MEMBER}) AS own WHERE ${HAS_NEW}
      UNION
      SELECT own.id, own.at FROM sources CROSS JOIN LATERAL (${POSTS_OF_TAG}) AS own WHERE ${HAS_NEW}
    )
    ${PAGE}`,
};

/** Delete whom and what an account follows. */
export const deleteFollowedMembers = sql<{ userId: number }>`
  DELETE FROM member_follows WHERE user_id = :userId`;

export const deleteFollowedTags = sql<{ userId: number }>`
  DELETE FROM tag_follows WHERE user_id = :userId`;

/** Delete that others follow an account. */
export const deleteFollowers = sql<{ userId: number }>`
  DELETE FROM member_follows WHERE member_id = :userId`;
