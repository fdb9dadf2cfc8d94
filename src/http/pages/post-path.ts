// The addresses of posts, categories, tags and members.

import type { Post } from '../../community/post.ts';
import { slugOfTitle } from '../../community/slug.ts';
import { NUMBER } from './numbers.ts';

/** The path of a post, in the list of pages. */
export const POST_PATH = `/posts/:id${NUMBER}`;

/** Return the path of a page below a post, for the list of pages. */
export function belowPost(word: PageBelowPost): string {
  return `${POST_PATH}/${word}`;
}

const BELOW_POST = [
  'edit',
  'remove',
  'publish',
  'autosave',
  'restore',
  'like',
  'unlike',
  'bookmark',
  'unbookmark',
  'comments',
  // Reserved for future pages.
  'likes',
  'comment',
  'report',
  'reports',
  'views',
] as const;
type PageBelowPost = (typeof BELOW_POST)[number];

/** A post with one of these words as its title has no readable address. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(BELOW_POST);

/**
 * Return the path of a post that all links use. The path with only the id works too; a draft has no other.
 */
export function postPath({ id, title, status }: Pick<Post, 'id' | 'title' | 'status'>): string {
  const slug = status === 'published' ? slugOfTitle(title) : '';
  if (slug === '' || RESERVED_SLUGS.has(slug)) return `/posts/${id}`;
  return `/posts/${id}/${encodeURIComponent(slug)}`;
}

/** Return the address of a category's posts. */
export function categoryPath(slug: string): string {
  return `/categories/${encodeURIComponent(slug)}`;
}

/** Return the address of a tag's posts. */
export function tagPath(name: string): string {
  return `/tags/${encodeURIComponent(name)}`;
}

/** Return the address of a member's page. */
export function memberPath(username: string): string {
  return `/u/${encodeURIComponent(username)}`;
}
