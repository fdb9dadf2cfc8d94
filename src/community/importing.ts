// What comes from another community: the rules of posts, comments and likes hold, but for when they were made and how
// fast. They earn what they would have earned here.

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

/** The post as it is kept, or everything that is wrong with it at once. */
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

/** A title that fits: without what can't be seen, cut off where it is too long; where there is none, the text's begin. */
export function fittingTitle(title: string, body: string): string {
  const whole = oneLine(title) || oneLine(body.slice(0, 1000).replaceAll(/[#>*_`[\]]+/g, ' '));
  return cutOff(whole, title.trim() === '' ? 60 : MOST_TITLE_CHARACTERS);
}

/** A text as one or more that are no longer than a comment, taken apart between paragraphs, lines or words. */
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
