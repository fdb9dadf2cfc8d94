// The hatch of this room: what posts ask of storage. Each verb is one atomic, durable step.

import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Post, PostSummary, PublishedPosts } from './post.ts';

export interface Category {
  id: number;
  slug: string;
  name: string;
}

export interface PreparedText {
  title: string;
  body: string;
  excerpt: string;
  categoryId: number;
}

export interface NewPost extends PreparedText {
  userId: number;
  status: 'draft' | 'published';
  /** Points that the author gets in the same step. */
  xp: number;
  at: Timestamp;
}

export interface CommunityStore {
  addPost(post: NewPost): Promise<number>;
  /** False unless the post is a draft or published post of this author. */
  editPost(id: number, userId: number, text: PreparedText, at: Timestamp): Promise<boolean>;
  /** False unless the post is a draft of this author; of parallel calls exactly one is true. */
  publishDraft(id: number, userId: number, xp: number, at: Timestamp): Promise<boolean>;
  /** False unless the post is a draft or published post of this author. Takes `xp` back only from a published one. */
  removePost(id: number, userId: number, xp: number, at: Timestamp): Promise<boolean>;
  findPost(id: number): Promise<Post | undefined>;
  /** Some of a member's published posts, newest first, ties by number, and how many there are in all. */
  publishedPostsOf(userId: number, offset: number, limit: number): Awaitable<PublishedPosts>;
  /** A member's drafts, last changed first. */
  draftsOf(userId: number): Promise<PostSummary[]>;
  /** The community's newest published posts. */
  newestPosts(limit: number): Promise<readonly PostSummary[]>;

  categories(): Promise<Category[]>;
  /** Adds a category unless one with this slug exists; the category of that slug in either case. */
  ensureCategory(slug: string, name: string): Promise<Category>;
}
