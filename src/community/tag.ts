// The tags of posts: the form of their names, which is also their address.

import { normalForm } from '../lib/normal-form.ts';
import { hyphenated } from './slug.ts';

export type { Tag } from './tag-store.ts';

export const MOST_TAGS = 5;
export const MOST_TAG_CHARACTERS = 30;

// Bringing a longer text into a normal form, which can be eighteen times as long, takes too long.
const MOST_UNITS = 1_000;

export type TagProblem = 'too_many' | 'too_long' | 'invalid';

// Words of letters and digits of any script, joined by hyphens. Marks belong to the letter before them. Letters that
// nobody sees are not among them: two tags must not look the same.
const BEGINNING = /[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}]/v.source;
const REST = /[[\p{L}\p{N}\p{M}]--\p{Default_Ignorable_Code_Point}]*/v.source;
const NAME = new RegExp(`^${BEGINNING}${REST}(?:-${BEGINNING}${REST})*$`, 'v');

// Also those of Chinese, Arabic and other scripts.
const SEPARATORS = /[,，、،;；\n]/u;

/** Report what is wrong with the tags that a member typed, separated by commas. Undefined if nothing is. */
export function problemWithTags(text: string): TagProblem | undefined {
  if (text.length > MOST_UNITS) return 'too_long';
  const names = namesIn(text);
  if (names.some((name) => [...name].length > MOST_TAG_CHARACTERS)) return 'too_long';
  if (!names.every((name) => NAME.test(name))) return 'invalid';
  return names.length > MOST_TAGS ? 'too_many' : undefined;
}

/** Bring the tags that a member typed into their form for storage. They must have no problem. */
export function storedTags(text: string): string {
  return JSON.stringify(namesIn(text));
}

/** Return the names of a post's tags. */
export function tagsIn({ tags }: { tags: string }): string[] {
  return tags === '[]' ? [] : JSON.parse(tags);
}

/** The names that no page shows, each with the present name of its tag. Undefined if the tag is hidden. */
export type ShownNames = ReadonlyMap<string, string | undefined>;

/** Return the names that pages show as a post's tags. */
export function shownTagsOf(post: { tags: string }, shown: ShownNames): string[] {
  const names = tagsIn(post);
  if (shown.size === 0) return names;
  return [...new Set(names.flatMap((name) => (shown.has(name) ? (shown.get(name) ?? []) : name)))];
}

/** Return the name that a tag with this text has. Undefined if no tag can have it. */
export function tagNamed(text: string): string | undefined {
  const [name, ...others] = text.length > MOST_UNITS ? [] : namesIn(text);
  return name !== undefined && others.length === 0 && problemWithTags(name) === undefined ? name : undefined;
}

/** Change names from elsewhere so that they are valid. Those that can't be are left out, as are too many. */
export function fittingTags(names: readonly string[]): string {
  const fitting = names
    .map((name) => hyphenated(name))
    .filter((name) => name !== '' && problemWithTags(name) === undefined);
  return [...new Set(fitting)].slice(0, MOST_TAGS).join(', ');
}

// In the order in which they were typed, without those that are repeated.
function namesIn(text: string): string[] {
  const names = text.toWellFormed().split(SEPARATORS).map(nameOf);
  return [...new Set(names)].filter((name) => name !== '');
}

// "#New York" and "new-york" are one tag. Joiners only choose the shape of letters.
function nameOf(text: string): string {
  const lowerCase = normalForm(normalForm(text, 'NFKC').toLowerCase(), 'NFKC');
  return lowerCase
    .replaceAll(/[\u200C\u200D]/g, '')
    .trim()
    .replace(/^#+/, '')
    .replaceAll(/[\s_-]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
