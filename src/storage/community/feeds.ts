// Lists of published posts for everyone. A page starts after the last post of the previous page, which takes
// one look-up in an index.

import type { Cursor } from '../../community/feed.ts';
import type { FeedReads, PopularPost, PostAddress } from '../../community/feed-store.ts';
import type { PostLanguage } from '../../community/post-language.ts';
import type { PostSummary } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { SUMMARY_COLUMNS, SUMMARY_TABLES } from './post-summary.ts';
import { IS_PUBLIC } from './visibility.ts';

export function feeds(database: Database): FeedReads {
  return {
    newestPosts: async (limit) => database.rows(selectNewest({ limit })),
    addressesBetween: async (firstId, lastId) => database.rows(selectAddresses({ firstId, lastId })),
    lastPostId: async () => (await database.first(selectLastId()))?.id ?? 0,
    pinnedPosts: async (limit) => database.rows(selectPinned({ limit })),
    postsBefore: async (after, limit) => database.rows(selectBefore({ ...after, limit })),
    postsInCategory: async (categoryId, after, limit, language) =>
      database.rows(
        language === undefined
          ? selectInCategory({ categoryId, ...after, limit })
          : selectInCategoryAndLanguage({ categoryId, language, ...after, limit }),
      ),
    postsInLanguage: async (language, after, limit) =>
      database.rows(selectInLanguage({ language, ...after, limit })),
    popularPosts: async (after, limit) => database.rows(selectPopular({ ...after, limit })),
    popularInCategory: async (categoryId, after, limit, language) =>
      database.rows(
        language === undefined
          ? selectPopularInCategory({ categoryId, ...after, limit })
          : selectPopularInCategoryAndLanguage({ categoryId, language, ...after, limit }),
      ),
    popularInLanguage: async (language, after, limit) =>
      database.rows(selectPopularInLanguage({ language, ...after, limit })),
    popularSince: async (since, limit) => database.rows(selectPopularSince({ since, limit })),
    countInCategories: async (limit, most) => database.rows(countInCategories({ limit, most })),
    async languagesOfPosts() {
      return (await database.rows(selectLanguages())).map(({ language }) => language);
    },
  };
}

const selectNewest = sql<{ limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published'
  ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

// By ids, which never change, so a file of the sitemap changes only with its own posts.
const selectAddresses = sql<{ firstId: number; lastId: number }, PostAddress>`
  SELECT posts.id, posts.title, posts.updated_at AS "updatedAt" FROM posts
  WHERE posts.id BETWEEN :firstId AND :lastId AND ${IS_PUBLIC}
  ORDER BY id`;

const selectLastId = sql<void, { id: number | undefined }>`SELECT max(id) AS id FROM posts`;

const selectPinned = sql<{ limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.pinned_at IS NOT NULL AND posts.status = 'published'
  ORDER BY posts.pinned_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

interface Page extends Cursor {
  limit: number;
}

type InCategory = Page & { categoryId: number };

type InLanguage = Page & { language: PostLanguage };

// The conditions and the order of each list are those of an index of `posts`.
const PUBLISHED = fragment`FROM ${SUMMARY_TABLES} WHERE posts.status = 'published'`;
const IN_CATEGORY = fragment`AND posts.category_id = :categoryId`;
const IN_LANGUAGE = fragment`AND posts.language = :language`;
const NEWEST = fragment`
  AND (posts.published_at, posts.id) < (:at, :id)
  ORDER BY posts.published_at DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;
const MOST_POPULAR = fragment`
  AND (posts.heat, posts.id) < (:at, :id)
  ORDER BY posts.heat DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

const selectBefore = sql<Page, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} ${PUBLISHED} ${NEWEST}`;

const selectInCategory = sql<InCategory, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} ${PUBLISHED} ${IN_CATEGORY} ${NEWEST}`;

const selectInLanguage = sql<InLanguage, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} ${PUBLISHED} ${IN_LANGUAGE} ${NEWEST}`;

const selectInCategoryAndLanguage = sql<InCategory & InLanguage, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} ${PUBLISHED} ${IN_CATEGORY} ${IN_LANGUAGE} ${NEWEST}`;

const POPULAR_COLUMNS = fragment`${SUMMARY_COLUMNS}, posts.heat AS popularity`;

const selectPopular = sql<Page, PopularPost>`
  SELECT ${POPULAR_COLUMNS} ${PUBLISHED} ${MOST_POPULAR}`;

const selectPopularInCategory = sql<InCategory, PopularPost>`
  SELECT ${POPULAR_COLUMNS} ${PUBLISHED} ${IN_CATEGORY} ${MOST_POPULAR}`;

const selectPopularInLanguage = sql<InLanguage, PopularPost>`
  SELECT ${POPULAR_COLUMNS} ${PUBLISHED} ${IN_LANGUAGE} ${MOST_POPULAR}`;

const selectPopularInCategoryAndLanguage = sql<InCategory & InLanguage, PopularPost>`
  SELECT ${POPULAR_COLUMNS} ${PUBLISHED} ${IN_CATEGORY} ${IN_LANGUAGE} ${MOST_POPULAR}`;

// Popularity begins with the time of publication, so these posts are among those with a greater one.
const selectPopularSince = sql<{ since: Timestamp; limit: number }, PostSummary>`
  SELECT ${SUMMARY_COLUMNS} FROM ${SUMMARY_TABLES}
  WHERE posts.status = 'published' AND posts.heat >= :since AND posts.published_at > :since
  ORDER BY posts.heat DESC, posts.id DESC LIMIT cast(:limit AS bigint)`;

const countInCategories = sql<{ limit: number; most: number }, { id: number; posts: number }>`
  SELECT categories.id, (
    SELECT count(*) FROM (
      SELECT 1 FROM posts
      WHERE posts.category_id = categories.id AND posts.status = 'published' LIMIT cast(:most AS bigint)
    ) AS counted
  ) AS posts
  FROM categories WHERE heir_id IS NULL ORDER BY position, id LIMIT cast(:limit AS bigint)`;

const selectLanguages = sql<void, { language: PostLanguage }>`
  SELECT languages.language
  FROM (SELECT 'en' AS language UNION ALL SELECT 'zh' UNION ALL SELECT 'other') AS languages
  WHERE EXISTS (SELECT 1 FROM posts WHERE posts.language = languages.language AND posts.status = 'published')`;
