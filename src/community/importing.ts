// Posts, comments and likes from another community. The rules for new ones apply, except for their dates and the limits
// on how fast members write. They earn the same points as new ones.

import type { Timestamp } from '../lib/clock.ts';
import { cutOff, oneLine } from '../lib/one-line.ts';
import { MOST_COMMENT_CHARACTERS, problemWithComment } from './comment.ts';
import type { Community } from './community.ts';
import type { ImportedComment, ImportedLike, ImportedPost } from './import-store.ts';
import { XP_FOR_COMMENT, XP_FOR_LIKE, XP_FOR_POST } from './level.ts';
import { HEAT_WEIGHT } from './popularity.ts';
import { MOST_TITLE_CHARACTERS, type PostProblems, type PostText, prepared, problemsWith } from './post.ts';

export interface PostToImport extends PostText {
  externalId: string;
  userId: number;
  status: 'draft' | 'published';
  at: Timestamp;
  views: number;
}

/** Prepare a post for storage, or return all problems with it. */
export async function importedPost(
  community: Community,
  { externalId, userId, status, at, views, ...text }: PostToImport,
): Promise<{ post: ImportedPost } | { problems: PostProblems }> {
  const problems = await problemsWith(community, text, status);
  if (problems !== undefined) return { problems };
  const xp = status === 'published' ? XP_FOR_POST : 0;
  return { post: { ...prepared(text), externalId, userId, status, xp, at, views } };
}

export function importedComment(
  comment: Omit<ImportedComment, 'xp' | 'weight'>,
): { comment: ImportedComment } | { problems: { body: string } } {
  const problem = problemWithComment(comment.body);
  if (problem !== undefined) return { problems: { body: problem } };
  const worth = { xp: XP_FOR_COMMENT, weight: HEAT_WEIGHT };
  return { comment: { ...comment, body: comment.body.trim(), ...worth } };
}

export function importedLike(like: Omit<ImportedLike, 'xp' | 'weight'>): ImportedLike {
  return { ...like, xp: XP_FOR_LIKE, weight: HEAT_WEIGHT };
}

/** Make a title fit: without hidden characters, cut off if too long, or from the beginning of the text if empty. */
export function fittingTitle(title: string, body: string): string {
  const whole = oneLine(title) || oneLine(body.slice(0, 1000).replaceAll(/[#>*_`[\]]+/g, ' '));
  return cutOff(whole, title.trim() === '' ? 60 : MOST_TITLE_CHARACTERS);
}

/** Split a text into parts of at most a comment's length, between paragraphs, lines or words. */
export function commentsOf(body: string): string[] {
  const parts: string[] = [];
  let rest = body.trim();
  while ([...rest].length > MOST_COMMENT_CHARACTERS) {
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
