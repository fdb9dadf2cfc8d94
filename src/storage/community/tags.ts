// Tags, as rows. A post's own row has their names; while it is published, it also has a row for each of its tags, so
// that a tag finds its posts by an index, and counts them.

import type { Cursor } from '../../community/feed.ts';
import type { PopularPost } from '../../community/feed-store.ts';
import type { PostLanguage } from '../../community/post-language.ts';
import type { PostSummary } from '../../community/post-store.ts';
import type { Tag, TagChangeReads, TagReads } from '../../community/tag-store.ts';
import type { Database } from '../engine/database.ts';
import { type Bound, type Dialect, type Fragment, fragment, sql } from '../engine/sql.ts';
import { NEW_POST_ID } from './new-row.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';

export function tagRows(database: Database): Omit<TagReads, keyof TagChangeReads> {
  return {
    findTag: async (name) => database.first(selectTag({ name })),
    tagsBeginning: async (text, limit) =>
      database.rows(selectBeginning({ from: text, to: `${text}\u{10FFFF}`, limit })),
    mostUsedTags: async (limit) => database.rows(selectMostUsed({ limit })),
    async tagNamesBetween(firstId, lastId) {
      return (await database.rows(selectNames({ firstId, lastId }))).map(({ name }) => name);
    },
    lastTagId: async () => (await database.first(selectLastId()))?.id ?? 0,
    postsWithTag: async (tagId, after, limit, language) =>
      database.rows(
        language === undefined
          ? selectPosts({ tagId, ...after, limit })
          : selectPostsInLanguage({ tagId, language, ...after, limit }),
      ),
    popularWithTag: async (tagId, after, limit, language) =>
      database.rows(
        language === undefined
          ? selectPopular({ tagId, ...after, limit })
          : selectPopularInLanguage({ tagId, language, ...after, limit }),
      ),
  };
}

/** The tags of a post that has none, in its row. */
export const NO_TAGS = '[]';

/** List a post under the tags in its row, if it is published, and under no others. */
export function setTagsOf(dialect: Dialect, id: number): Bound<unknown>[] {
  return [
    ...(dialect === 'postgres' ? [lockTags.postgres({ id })] : []),
    insertTags[dialect]({ id }),
    uncountPostTags({ id }),
    deletePostTags({ id }),
    insertPostTags[dialect]({ id }),
    countPostTags({ id }),
  ];
}

/** The same for the post that the same transaction has inserted. */
export function setTagsOfNewPost(dialect: Dialect): Bound<unknown>[] {
  return [
    ...(dialect === 'postgres' ? [lockTagsOfNewPost.postgres()] : []),
    insertTagsOfNewPost[dialect](),
    insertPostTagsOfNewPost[dialect](),
    countPostTagsOfNewPost[dialect](),
  ];
}

/** List a post, which is published no more, under no tag. */
export function deleteTagsOf(dialect: Dialect, id: number): Bound<unknown>[] {
  return [
    ...(dialect === 'postgres' ? [lockTags.postgres({ id })] : []),
    uncountPostTags({ id }),
    deletePostTags({ id }),
  ];
}

interface OfPost {
  id: number;
}

const GIVEN = fragment`:id`;

// Lock the tags that a post has and those that its row names, by their ids, before any of them changes.
const lockingOfTags = (id: typeof GIVEN) => fragment`
  SELECT tags.id FROM tags WHERE tags.id IN (
    SELECT post_tags.tag_id FROM post_tags WHERE post_tags.post_id = ${id}
    UNION ALL
    SELECT unnest(ARRAY[named.id, named.heir_id])
    FROM posts, json_array_elements_text(cast(posts.tags AS json)) AS names (value)
    JOIN tags AS named ON named.name = names.value
    WHERE posts.id = ${id})
  ORDER BY tags.id FOR NO KEY UPDATE`;

// Transactions of several posts insert new tags in this order. The names are never repeated.
const insertionOfTags = {
  sqlite: (id: typeof GIVEN) => fragment`
    INSERT INTO tags (name)
    SELECT names.value FROM posts, json_each(posts.tags) AS names
    WHERE posts.id = ${id} AND posts.status = 'published' ORDER BY 1
    ON CONFLICT (name) DO UPDATE SET name = excluded.name`,
  postgres: (id: typeof GIVEN) => fragment`
    INSERT INTO tags (name)
    SELECT names.value FROM posts, json_array_elements_text(cast(posts.tags AS json)) AS names (value)
    WHERE posts.id = ${id} AND posts.status = 'published' ORDER BY 1
    ON CONFLICT (name) DO UPDATE SET name = excluded.name`,
};

// An earlier name of a tag stands for it, and a post can have both.
const PRESENT = fragment`coalesce(tags.heir_id, tags.id)`;

const insertionOfPostTags = {
  sqlite: (id: typeof GIVEN) => fragment`
    INSERT INTO post_tags (post_id, tag_id, published_at, language, popularity)
    SELECT DISTINCT posts.id, ${PRESENT}, posts.published_at, posts.language, posts.heat
    FROM posts, json_each(posts.tags) AS names JOIN tags ON tags.name = names.value
    WHERE posts.id = ${id} AND posts.status = 'published'`,
  postgres: (id: typeof GIVEN) => fragment`
    INSERT INTO post_tags (post_id, tag_id, published_at, language, popularity)
    SELECT DISTINCT posts.id, ${PRESENT}, posts.published_at, posts.language, posts.heat
    FROM posts, json_array_elements_text(cast(posts.tags AS json)) AS names (value)
    JOIN tags ON tags.name = names.value
    WHERE posts.id = ${id} AND posts.status = 'published'`,
};

const lockTags = { postgres: sql<OfPost, { id: number }>`${lockingOfTags(GIVEN)}` };
const lockTagsOfNewPost = { postgres: sql<void, { id: number }>`${lockingOfTags(NEW_POST_ID.postgres)}` };

// The conflict locks a tag that exists, so that it isn't deleted as unused.
const insertTags = {
  sqlite: sql<OfPost>`${insertionOfTags.sqlite(GIVEN)}`,
  postgres: sql<OfPost>`${insertionOfTags.postgres(GIVEN)}`,
};

const insertTagsOfNewPost = {
  sqlite: sql`${insertionOfTags.sqlite(NEW_POST_ID.sqlite)}`,
  postgres: sql`${insertionOfTags.postgres(NEW_POST_ID.postgres)}`,
};

const insertPostTags = {
  sqlite: sql<OfPost>`${insertionOfPostTags.sqlite(GIVEN)}`,
  postgres: sql<OfPost>`${insertionOfPostTags.postgres(GIVEN)}`,
};

const insertPostTagsOfNewPost = {
  sqlite: sql`${insertionOfPostTags.sqlite(NEW_POST_ID.sqlite)}`,
  postgres: sql`${insertionOfPostTags.postgres(NEW_POST_ID.postgres)}`,
};

const countPostTags = sql<OfPost>`
  UPDATE tags SET post_count = post_count + 1
  WHERE id IN (SELECT post_tags.tag_id FROM post_tags WHERE post_tags.post_id = :id)`;

const countPostTagsOfNewPost = {
  sqlite: sql`
    UPDATE tags SET post_count = post_count + 1
    WHERE id IN (SELECT post_tags.tag_id FROM post_tags WHERE post_tags.post_id = ${NEW_POST_ID.sqlite})`,
  postgres: sql`
    UPDATE tags SET post_count = post_count + 1
    WHERE id IN (SELECT post_tags.tag_id FROM post_tags WHERE post_tags.post_id = ${NEW_POST_ID.postgres})`,
};

const uncountPostTags = sql<OfPost>`
  UPDATE tags SET post_count = post_count - 1
  WHERE id IN (SELECT post_tags.tag_id FROM post_tags WHERE post_tags.post_id = :id)`;

const deletePostTags = sql<OfPost>`
  DELETE FROM post_tags WHERE post_id = :id`;

/** Give the rows of a post's tags the language that its row got. */
export const setLanguageInTags = sql<OfPost>`
  UPDATE post_tags SET language = (SELECT posts.language FROM posts WHERE posts.id = :id) WHERE post_id = :id`;

/** Lock the tags of several published posts, on PostgreSQL. The others have no rows here. */
export const lockingOfTagsOf = (posts: Fragment) => fragment`
  SELECT tags.id FROM tags
  WHERE tags.id IN (SELECT post_tags.tag_id FROM post_tags WHERE post_tags.post_id IN (${posts}))
  ORDER BY tags.id FOR NO KEY UPDATE`;

/** Count these posts no more. Runs before `deletionOfPostTags`. */
export const uncountingOfPostTags = (posts: Fragment) => fragment`
  UPDATE tags SET post_count = post_count - hidden.posts
  FROM (
    SELECT post_tags.tag_id AS "tagId", count(*) AS posts FROM post_tags
    WHERE post_tags.post_id IN (${posts}) GROUP BY post_tags.tag_id
  ) AS hidden
  WHERE tags.id = hidden."tagId"`;

/** List none of these posts under a tag. */
export const deletionOfPostTags = (posts: Fragment) => fragment`
  DELETE FROM post_tags WHERE post_id IN (${posts})`;

const TAG = fragment`SELECT id, name, post_count AS "postCount", hidden_at AS "hiddenAt" FROM tags`;

const selectTag = sql<{ name: string }, Tag>`
  ${TAG} WHERE id = (
    SELECT coalesce(named.heir_id, named.id) FROM tags AS named WHERE named.name = :name)`;

const selectBeginning = sql<{ from: string; to: string; limit: number }, Tag>`
  ${TAG} WHERE name >= :from AND name < :to AND heir_id IS NULL ORDER BY name LIMIT cast(:limit AS bigint)`;

const IS_LISTED = fragment`post_count > 0 AND heir_id IS NULL AND hidden_at IS NULL`;

const selectMostUsed = sql<{ limit: number }, Tag>`
  ${TAG} WHERE ${IS_LISTED} ORDER BY post_count DESC, id LIMIT cast(:limit AS bigint)`;

// By ids, which never change, as with the addresses of posts.
const selectNames = sql<{ firstId: number; lastId: number }, { name: string }>`
  SELECT name FROM tags WHERE id BETWEEN :firstId AND :lastId AND ${IS_LISTED} ORDER BY id`;

const selectLastId = sql<void, { id: number | undefined }>`SELECT max(id) AS id FROM tags`;

interface Page extends Cursor {
  tagId: number;
  limit: number;
}

type PageInLanguage = Page & { language: PostLanguage };

// The conditions and the order of each list are those of an index of `post_tags`.
const POSTS = fragment`FROM ${SUMMARY_TABLES} JOIN post_tags ON post_tags.post_id = posts.id`;
const OF_TAG = fragment`WHERE post_tags.tag_id = :tagId AND posts.status = 'published'`;
const IN_LANGUAGE = fragment`AND post_tags.language = :language`;
const NEWEST = fragment`
  AND (post_tags.published_at, post_tags.post_id) < (:at, :id)
  ORDER BY post_tags.published_at DESC, post_tags.post_id DESC LIMIT cast(:limit AS bigint)`;
const MOST_POPULAR = fragment`
  AND (post_tags.popularity, post_tags.post_id) < (:at, :id)
  ORDER BY post_tags.popularity DESC, post_tags.post_id DESC LIMIT cast(:limit AS bigint)`;

const selectPosts = sql<Page, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} ${POSTS} ${OF_TAG} ${NEWEST}`;

const selectPostsInLanguage = sql<PageInLanguage, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} ${POSTS} ${OF_TAG} ${IN_LANGUAGE} ${NEWEST}`;

const selectPopular = sql<Page, PopularPost>`
  SELECT ${SUMMARY_COLUMNS}, post_tags.popularity ${POSTS} ${OF_TAG} ${MOST_POPULAR}`;

const selectPopularInLanguage = sql<PageInLanguage, PopularPost>`
  SELECT ${SUMMARY_COLUMNS}, post_tags.popularity ${POSTS} ${OF_TAG} ${IN_LANGUAGE} ${MOST_POPULAR}`;
