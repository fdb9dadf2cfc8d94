// A member's own posts, comments, likes, reports and notifications for the download, read in pieces.

import { inPieces } from '../lib/pieces.ts';
import type { BookmarkedPost } from './bookmark-store.ts';
import type { Community } from './community.ts';
import { BEGINNING, type Cursor } from './feed.ts';
import type { Notification } from './notification-store.ts';
import type { OwnComment, OwnLike, OwnPost, OwnReport } from './own-data-store.ts';
import { picturesIn } from './picture.ts';
import type { OwnPicture } from './picture-store.ts';

const PIECE = 50;
// A whole piece is in memory for as long as its reader takes, and a post can have 100,000 characters.
const PIECE_OF_POSTS = 4;

/** All posts of a member, also drafts and removed posts. */
export async function* ownPosts(
  { reads }: Pick<Community, 'reads'>,
  userId: number,
): AsyncGenerator<OwnPost> {
  for (const status of ['published', 'draft', 'removed'] as const) {
    yield* inPieces(PIECE_OF_POSTS, (last: OwnPost | undefined) =>
      reads.ownPosts(userId, status, cursorOf(last), PIECE_OF_POSTS),
    );
  }
}

export function ownComments({ reads }: Pick<Community, 'reads'>, userId: number): AsyncGenerator<OwnComment> {
  return inPieces(PIECE, (last: OwnComment | undefined) => reads.ownComments(userId, last?.id ?? 0, PIECE));
}

export function ownLikes({ reads }: Community, userId: number): AsyncGenerator<OwnLike> {
  return inPieces(PIECE, (last: OwnLike | undefined) => {
    const cursor = last === undefined ? BEGINNING : { at: last.createdAt, id: last.postId };
    return reads.ownLikes(userId, cursor, PIECE);
  });
}

/** The published posts that a member bookmarked. */
export async function* ownBookmarks({ reads }: Community, userId: number): AsyncGenerator<OwnLike> {
  const posts = inPieces(PIECE, (last: BookmarkedPost | undefined) => {
    const cursor = last === undefined ? BEGINNING : { at: last.bookmarkedAt, id: last.id };
    return reads.bookmarkedPosts(userId, cursor, PIECE);
  });
  for await (const { id, title, bookmarkedAt } of posts) {
    yield { postId: id, postTitle: title, createdAt: bookmarkedAt };
  }
}

/** The reports of posts and comments that a member sent. */
export function ownReports({ reads }: Community, userId: number): AsyncGenerator<OwnReport> {
  return inPieces(PIECE, (last: OwnReport | undefined) => reads.ownReports(userId, last?.id ?? 0, PIECE));
}

/** The pictures in a member's posts and comments. */
export async function* ownPictures(
  community: Pick<Community, 'reads'>,
  userId: number,
): AsyncGenerator<OwnPicture> {
  const { reads } = community;
  for await (const { id, body } of ownPosts(community, userId)) {
    if (picturesIn(body).length > 0) yield* await reads.picturesOfPost(id);
  }
  for await (const { id, body } of ownComments(community, userId)) {
    if (picturesIn(body).length > 0) yield* await reads.picturesOfComment(id);
  }
}

/** The pictures that a member uploaded and that are in no text. */
export function ownUnusedPictures({ reads }: Community, userId: number): AsyncGenerator<OwnPicture> {
  return inPieces(PIECE, (last: OwnPicture | undefined) =>
    reads.ownUnusedPictures(userId, last?.id ?? 0, PIECE),
  );
}

export function ownNotifications({ reads }: Community, userId: number): AsyncGenerator<Notification> {
  return inPieces(PIECE, (last: Notification | undefined) =>
    reads.notificationsOf(userId, last?.id ?? BEGINNING.id, PIECE),
  );
}

// Each status has a list of its own, ordered by the time at which posts enter the status.
function cursorOf(post: OwnPost | undefined): Cursor {
  if (post === undefined) return BEGINNING;
  const moments = { published: post.publishedAt, draft: post.updatedAt, removed: post.removedAt };
  return { at: moments[post.status] ?? 0, id: post.id };
}
