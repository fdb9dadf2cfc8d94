// What every list of posts reads: a post with the names of its author and category, but without its body,
// which can be long.

import type { PostStatus, PostSummary } from '../../community/post-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { fragment } from '../engine/sql.ts';

export interface SummaryRow {
  id: number;
  user_id: number;
  status: PostStatus;
  title: string;
  excerpt: string;
  created_at: Timestamp;
  updated_at: Timestamp;
  published_at: Timestamp | null;
  like_count: number;
  comment_count: number;
  view_count: number;
  author_name: string;
  author_avatar: string | null;
  category_name: string;
  category_slug: string;
}

/** The columns of `SummaryRow`, from `SUMMARY_TABLES`. */
export const SUMMARY_COLUMNS = fragment`
  posts.id, posts.user_id, posts.status, posts.title, posts.excerpt,
  posts.created_at, posts.updated_at, posts.published_at,
  posts.like_count, posts.comment_count, posts.view_count,
  users.username AS author_name, users.avatar AS author_avatar,
  categories.name AS category_name, categories.slug AS category_slug`;

export const SUMMARY_TABLES = fragment`posts
  JOIN users ON users.id = posts.user_id
  JOIN categories ON categories.id = posts.category_id`;

export function summaryOf(row: SummaryRow): PostSummary {
  return {
    id: row.id,
    userId: row.user_id,
    authorName: row.author_name,
    authorAvatar: row.author_avatar ?? undefined,
    categoryName: row.category_name,
    categorySlug: row.category_slug,
    status: row.status,
    title: row.title,
    excerpt: row.excerpt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at ?? undefined,
    likeCount: row.like_count,
    commentCount: row.comment_count,
    viewCount: row.view_count,
  };
}
