// The text of a post: the rules for it, and its form in storage.

import { firstPicturePath } from '../lib/markdown.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { openingOf } from '../lib/opening.ts';
import type { RenderingProblem } from '../lib/text-renderer.ts';
import { XP_FOR_POST } from './level.ts';
import { picturesIn } from './picture.ts';
import type { PreparedText, Publication } from './post-store.ts';
import type { NewlyRendered } from './rendering.ts';
import { wordsOfPost } from './search.ts';
import type { Category } from './store.ts';
import { problemWithTags, storedTags, type TagProblem } from './tag.ts';
import { factsOf } from './text-facts.ts';

/** A text as its author writes it. */
export interface PostText {
  title: string;
  body: string;
  categoryId: number;
  /** The tags, separated by commas. Left out, an edit keeps the tags that the post has. */
  tags?: string | undefined;
}

/** Contract §7. */
export const MOST_TITLE_CHARACTERS = 120;
const MOST_BODY_CHARACTERS = 100_000;

export interface PostProblems {
  title?: 'missing' | 'too_long' | 'hidden_characters';
  body?: 'missing' | 'too_long' | 'too_many_drafts' | 'too_many_waiting' | RenderingProblem;
  category?: 'unknown';
  tags?: TagProblem;
}

/** What a new post gets: a published one has words for the search index, and earns points. */
export function gainsOf(
  { title, body }: Pick<PostText, 'title' | 'body'>,
  status: 'draft' | 'published',
): Pick<Publication, 'words' | 'xp'> {
  return status === 'draft' ? { words: '', xp: 0 } : { words: wordsOfPost(title, body), xp: XP_FOR_POST };
}

/** All problems with a text, undefined if there are none. For a draft, a title or a body is enough. */
export function problemsWith(
  text: PostText,
  status: 'draft' | 'published',
  categories: readonly Category[],
): PostProblems | undefined {
  const problems: PostProblems = {};
  const title = text.title.trim();
  const titleLength = lengthOf(title, MOST_TITLE_CHARACTERS);
  const lacksBody = text.body.trim() === '';
  if (titleLength === 0 && (status === 'published' || lacksBody)) problems.title = 'missing';
  else if (titleLength > MOST_TITLE_CHARACTERS) problems.title = 'too_long';
  else if (hasHiddenCharacters(title)) problems.title = 'hidden_characters';
  if (lacksBody && (status === 'published' || titleLength === 0)) problems.body = 'missing';
  else if (text.body.length > MOST_BODY_CHARACTERS) problems.body = 'too_long';
  if (!categories.some(({ id }) => id === text.categoryId)) problems.category = 'unknown';
  const tags = problemWithTags(text.tags ?? '');
  if (tags !== undefined) problems.tags = tags;
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** Count characters. A text that is far too long is counted by code units, which takes no time. */
export function lengthOf(text: string, most: number): number {
  return text.length > 2 * most ? text.length : [...text].length;
}

/**
 * Bring a text into its form for storage, with the parts that are computed from it. Without a rendering, the
 * server renders it later.
 */
export function prepareText(text: PostText, rendered?: NewlyRendered): PreparedText {
  const title = text.title.trim();
  const body = text.body.trim() === '' ? '' : text.body;
  return {
    title,
    body,
    categoryId: text.categoryId,
    tags: text.tags === undefined ? undefined : storedTags(text.tags),
    ...factsOf(text.body, rendered === undefined ? openingOf(text.body) : rendered.opening),
    picture: rendered && firstPicturePath(rendered.html),
    pictures: picturesIn(body),
    html: rendered?.html,
    htmlVersion: rendered?.htmlVersion,
  };
}
