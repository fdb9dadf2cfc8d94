// Posts, comments and likes of an import, checked by the rules for new ones, except for their dates and the
// limits on how fast members write. They earn the same points as new ones.

import { MOST_COMMENT_CHARACTERS, problemWithComment } from '../community/comment.ts';
import { XP_FOR_COMMENT, XP_FOR_LIKE } from '../community/level.ts';
import { POPULARITY_WEIGHT } from '../community/popularity.ts';
import {
  gainsOf,
  lengthOf,
  MOST_TITLE_CHARACTERS,
  type PostProblems,
  type PostText,
  prepareText,
  problemsWith,
} from '../community/post-text.ts';
import type { Category } from '../community/store.ts';
import type { Timestamp } from '../lib/clock.ts';
import { cutOff, oneLine } from '../lib/one-line.ts';
import type { ImportedComment, ImportedLike, ImportedPost } from './store.ts';

export interface PostToImport {
  externalId: string;
  userId: number;
  text: PostText;
  status: 'draft' | 'published';
  at: Timestamp;
  views: number;
}

/** Prepare a post for storage, or return all problems with it. */
export function importedPost(
  { externalId, userId, text, status, at, views }: PostToImport,
  categories: readonly Category[],
): { post: ImportedPost } | { problems: PostProblems } {
  const problems = problemsWith(text, status, categories);
  if (problems !== undefined) return { problems };
  return { post: { ...prepareText(text), ...gainsOf(text, status), externalId, userId, status, at, views } };
}

export function importedComment(
  comment: Omit<ImportedComment, 'xp' | 'weight'>,
): { comment: ImportedComment } | { problems: { body: string } } {
  const problem = problemWithComment(comment.body);
  if (problem !== undefined) return { problems: { body: problem } };
  const worth = { xp: XP_FOR_COMMENT, weight: POPULARITY_WEIGHT };
  return { comment: { ...comment, body: comment.body.trim(), ...worth } };
}

export function importedLike(like: Omit<ImportedLike, 'xp' | 'weight'>): ImportedLike {
  return { ...like, xp: XP_FOR_LIKE, weight: POPULARITY_WEIGHT };
}

/**
 * Make a title fit: without hidden characters, cut off if too long, or from the beginning of the text if
 * empty.
 */
export function fittingTitle(title: string, body: string): string {
  const whole = oneLine(title) || oneLine(body.slice(0, 1000).replaceAll(/[#>*_`[\]]+/g, ' '));
  return cutOff(whole, title.trim() === '' ? 60 : MOST_TITLE_CHARACTERS);
}

/** Split a text into parts of at most a comment's length, between paragraphs, lines or words. */
export function commentsOf(body: string): string[] {
  const parts: string[] = [];
  let rest = body.trim();
  while (lengthOf(rest, MOST_COMMENT_CHARACTERS) > MOST_COMMENT_CHARACTERS) {
    const beginning = [...rest.slice(0, 2 * MOST_COMMENT_CHARACTERS)]
      .slice(0, MOST_COMMENT_CHARACTERS)
      .join('');
    const half = beginning.length / 2;
    const end = ['\n\n', '\n', ' '].map((gap) => beginning.lastIndexOf(gap)).find((at) => at > half);
    parts.push(rest.slice(0, end ?? beginning.length).trim());
    rest = rest.slice(end ?? beginning.length).trim();
  }
  return [...parts, rest];
}
