// All that a member wrote, for the member to take along: read piece by piece, however much it is.

import type { Timestamp } from '../lib/clock.ts';
import type { Community } from './community.ts';
import { BEGINNING, type Place } from './feed.ts';
import type { Notification } from './notification.ts';
import type { PostStatus } from './post.ts';

export interface OwnPost {
  id: number;
  status: PostStatus;
  categoryName: string;
  title: string;
  body: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  publishedAt: Timestamp | undefined;
  removedAt: Timestamp | undefined;
  likeCount: number;
  commentCount: number;
  viewCount: number;
}

export interface OwnComment {
  id: number;
  postId: number;
  parentId: number | undefined;
  status: 'published' | 'removed';
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | undefined;
  removedAt: Timestamp | undefined;
}

export interface OwnLike {
  postId: number;
  postTitle: string;
  createdAt: Timestamp;
}

export interface OwnDataStore {
  /** A member's posts of one state, newest first, from before a place on. */
  ownPosts(userId: number, status: PostStatus, before: Place, limit: number): Promise<OwnPost[]>;
  /** A member's comments with greater numbers, in their order. */
  ownComments(userId: number, after: number, limit: number): Promise<OwnComment[]>;
  /** What a member likes, newest first, from before a place on. */
  ownLikes(userId: number, before: Place, limit: number): Promise<OwnLike[]>;
}

// A post can be long: so many are in memory at once.
const PIECE = 50;

/** All posts of a member, those that nobody else sees too. */
export async function* ownPosts({ reads }: Community, userId: number): AsyncGenerator<OwnPost> {
  for (const status of ['published', 'draft', 'removed'] as const) {
    yield* pieces((last: OwnPost | undefined) => reads.ownPosts(userId, status, placeOf(last), PIECE));
  }
}

export function ownComments({ reads }: Community, userId: number): AsyncGenerator<OwnComment> {
  return pieces((last: OwnComment | undefined) => reads.ownComments(userId, last?.id ?? 0, PIECE));
}

export function ownLikes({ reads }: Community, userId: number): AsyncGenerator<OwnLike> {
  return pieces((last: OwnLike | undefined) => {
    const place = last === undefined ? BEGINNING : { at: last.createdAt, id: last.postId };
    return reads.ownLikes(userId, place, PIECE);
  });
}

export function ownNotifications({ reads }: Community, userId: number): AsyncGenerator<Notification> {
  return pieces((last: Notification | undefined) =>
    reads.notificationsOf(userId, last?.id ?? BEGINNING.id, PIECE),
  );
}

// By the moment that its state is about.
function placeOf(post: OwnPost | undefined): Place {
  if (post === undefined) return BEGINNING;
  const moments = { published: post.publishedAt, draft: post.updatedAt, removed: post.removedAt };
  return { at: moments[post.status] ?? 0, id: post.id };
}

async function* pieces<T>(read: (last: T | undefined) => Promise<T[]>): AsyncGenerator<T> {
  let last: T | undefined;
  do {
    const piece = await read(last);
    yield* piece;
    last = piece.length < PIECE ? undefined : piece.at(-1);
  } while (last !== undefined);
}
