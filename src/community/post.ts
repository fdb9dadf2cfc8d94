// Posts and their life: draft → published → removed (contract §9).

import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Community } from './community.ts';
import { excerptOf } from './excerpt.ts';
import { XP_FOR_POST } from './level.ts';

export type PostStatus = 'draft' | 'published' | 'removed';

export interface Post {
  id: number;
  userId: number;
  authorName: string;
  /** As in `User`. */
  authorAvatar: string | undefined;
  categoryName: string;
  categorySlug: string;
  status: PostStatus;
  title: string;
  /** Markdown. */
  body: string;
  /** Plain text. */
  excerpt: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  publishedAt: Timestamp | undefined;
  likeCount: number;
  commentCount: number;
  viewCount: number;
}

/** A post in a list: without its body. */
export type PostSummary = Omit<Post, 'body'>;

/** A page of a member's published posts, and how many they have in all. */
export interface PublishedPosts {
  items: readonly PostSummary[];
  total: number;
}

/** What an author writes. */
export interface PostText {
  title: string;
  body: string;
  categoryId: number;
}

/** Contract §7. */
export const MOST_TITLE_CHARACTERS = 120;
const MOST_BODY_CHARACTERS = 100_000;

export interface PostProblems {
  title?: 'missing' | 'too_long' | 'hidden_characters';
  body?: 'missing' | 'too_long';
  category?: 'unknown';
}

export type Written = { id: number } | { problems: PostProblems };

/** Writes a new post, as a draft or published at once. */
export async function writePost(
  community: Community,
  userId: number,
  text: PostText,
  status: 'draft' | 'published',
): Promise<Written> {
  const problems = await problemsWith(community, text);
  if (problems !== undefined) return { problems };
  const now = community.clock();
  const xp = status === 'published' ? XP_FOR_POST : 0;
  const id = await community.store.addPost({ ...prepared(text), userId, status, xp, at: now });
  return { id };
}

/** Changes an author's own draft or published post. Undefined if there is no such post of theirs. */
export async function editPost(
  community: Community,
  userId: number,
  id: number,
  text: PostText,
): Promise<Written | undefined> {
  const problems = await problemsWith(community, text);
  if (problems !== undefined) return { problems };
  const done = await community.store.editPost(id, userId, prepared(text), community.clock());
  return done ? { id } : undefined;
}

/** Publishes an author's own draft; false if it isn't one (any more). The author's points grow in the same step. */
export async function publishDraft(community: Community, userId: number, id: number): Promise<boolean> {
  return community.store.publishDraft(id, userId, XP_FOR_POST, community.clock());
}

/** Removes an author's own post from everyone's sight. What a published one earned is taken back in the same step. */
export async function removePost(community: Community, userId: number, id: number): Promise<boolean> {
  return community.store.removePost(id, userId, XP_FOR_POST, community.clock());
}

/** A post as a visitor may see it: published, or the visitor's own draft. */
export async function postFor(
  community: Community,
  visitorId: number | undefined,
  id: number,
): Promise<Post | undefined> {
  const post = await community.store.findPost(id);
  if (post?.status === 'published') return post;
  return post?.status === 'draft' && post.userId === visitorId ? post : undefined;
}

/** A page of a member's published posts, newest first, ties by number (spec §2.4). `page` counts from 0. */
export function publishedPostsOf(
  community: Community,
  userId: number,
  page: number,
  size: number,
): Awaitable<PublishedPosts> {
  return community.store.publishedPostsOf(userId, page * size, size);
}

function prepared({ title, body, categoryId }: PostText) {
  return { title: title.trim(), body, categoryId, excerpt: excerptOf(body) };
}

async function problemsWith(community: Community, text: PostText): Promise<PostProblems | undefined> {
  const problems: PostProblems = {};
  const titleLength = [...text.title.trim()].length;
  if (titleLength === 0) problems.title = 'missing';
  else if (titleLength > MOST_TITLE_CHARACTERS) problems.title = 'too_long';
  else if (/[\p{Cc}\u2028\u2029]/u.test(text.title.trim())) problems.title = 'hidden_characters';
  if (text.body.trim() === '') problems.body = 'missing';
  else if (text.body.length > MOST_BODY_CHARACTERS) problems.body = 'too_long';
  const categories = await community.store.categories();
  if (!categories.some(({ id }) => id === text.categoryId)) problems.category = 'unknown';
  return Object.keys(problems).length > 0 ? problems : undefined;
}
