// Posts and their life: draft → published → removed (contract §9).

import type { Awaitable } from '../lib/awaitable.ts';
import { DAY, type Timestamp } from '../lib/clock.ts';
import { hasHidden } from '../lib/one-line.ts';
import type { Community } from './community.ts';
import { excerptOf } from './excerpt.ts';
import { XP_FOR_POST } from './level.ts';
import { wordsOfPost } from './search.ts';
import type { PreparedText } from './store.ts';

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

/** A post that its author sees no longer, but for the list of those that can be restored. */
export interface RemovedPost extends PostSummary {
  removedAt: Timestamp;
  /** Then only they can bring it back. */
  isByOperator: boolean;
}

/** How long an author can bring back what they removed. Afterwards it is deleted. */
export const RESTORABLE_FOR = 30 * DAY;

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

/** Writes a new post, as a draft or published at once. For a draft a title or a text is enough. */
export async function writePost(
  community: Community,
  userId: number,
  text: PostText,
  status: 'draft' | 'published',
): Promise<Written> {
  const problems = await problemsWith(community, text, status);
  if (problems !== undefined) return { problems };
  const now = community.clock();
  const xp = status === 'published' ? XP_FOR_POST : 0;
  const id = await community.writes.addPost({ ...prepared(text), userId, status, xp, at: now });
  return { id };
}

/**
 * Changes an author's own draft or published post. With `version`, the moment of change that they know of, what was
 * saved elsewhere since is not overwritten: it comes back as `newer`. Undefined if there is no such post of theirs.
 */
export async function editPost(
  community: Community,
  userId: number,
  id: number,
  text: PostText,
  version?: Timestamp,
): Promise<Written | { newer: Post } | undefined> {
  const problems = await problemsWith(community, text, 'published');
  if (problems !== undefined) return { problems };
  const done = await community.writes.editPost(id, userId, prepared(text), community.clock(), version);
  if (done) return { id };
  const newer = await postFor(community, userId, id);
  return newer?.userId === userId ? { newer } : undefined;
}

/**
 * Publishes an author's own draft; false if it isn't one (any more), or lacks its title or text. The author's points
 * grow in the same step.
 */
export async function publishDraft(community: Community, userId: number, id: number): Promise<boolean> {
  return community.writes.publishDraft(id, userId, XP_FOR_POST, community.clock());
}

/** Removes an author's own post from everyone's sight. What a published one earned is taken back in the same step. */
export async function removePost(community: Community, userId: number, id: number): Promise<boolean> {
  return community.writes.removePost(id, userId, XP_FOR_POST, community.clock());
}

/** Brings back an author's own post as it was, with what it earned, if they removed it themselves and not long ago. */
export async function restorePost(community: Community, userId: number, id: number): Promise<boolean> {
  return community.writes.restorePost(id, userId, XP_FOR_POST, community.clock() - RESTORABLE_FOR);
}

/** An author's own removed posts that are not deleted yet, last removed first. */
export async function removedPostsOf(community: Community, userId: number): Promise<RemovedPost[]> {
  return community.reads.removedPostsOf(userId, community.clock() - RESTORABLE_FOR);
}

/** A post as a visitor may see it: published, or the visitor's own draft. */
export async function postFor(
  community: Community,
  visitorId: number | undefined,
  id: number,
): Promise<Post | undefined> {
  const post = await community.reads.findPost(id);
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
  return community.reads.publishedPostsOf(userId, page * size, size);
}

/** A text as it is kept, with what is made of it. */
export function prepared({ title, body, categoryId }: PostText): PreparedText {
  const kept = { title: title.trim(), body: body.trim() === '' ? '' : body };
  return { ...kept, categoryId, excerpt: excerptOf(body), words: wordsOfPost(kept.title, kept.body) };
}

/** What keeps a text from being kept as a draft, or from being published. */
export async function problemsWith(
  community: Community,
  text: PostText,
  status: 'draft' | 'published',
): Promise<PostProblems | undefined> {
  const problems: PostProblems = {};
  const titleLength = [...text.title.trim()].length;
  const lacksBody = text.body.trim() === '';
  if (titleLength === 0 && (status === 'published' || lacksBody)) problems.title = 'missing';
  else if (titleLength > MOST_TITLE_CHARACTERS) problems.title = 'too_long';
  else if (hasHidden(text.title.trim())) problems.title = 'hidden_characters';
  if (lacksBody && (status === 'published' || titleLength === 0)) problems.body = 'missing';
  else if (text.body.length > MOST_BODY_CHARACTERS) problems.body = 'too_long';
  const categories = await community.reads.categories();
  if (!categories.some(({ id }) => id === text.categoryId)) problems.category = 'unknown';
  return Object.keys(problems).length > 0 ? problems : undefined;
}
