// The addresses of posts and of what lists them.

import type { Post } from '../../community/post.ts';
import { slugOfTitle } from '../../community/slug.ts';
import { NUMBER } from './numbers.ts';

/** The path of a post in the list of pages. */
export const POST_PATH = `/posts/:id${NUMBER}`;

/** The path of a page below a post in the list of pages. */
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
  'comments',
  // Free for pages to come.
  'likes',
  'comment',
  'report',
  'reports',
  'views',
] as const;
type PageBelowPost = (typeof BELOW_POST)[number];

// A post with one of these words as its title has no readable address.
const RESERVED: ReadonlySet<string> = new Set(BELOW_POST);

/** The one path of a post that all links use. Its number alone leads there too, and a draft has no other. */
export function postPath({ id, title, status }: Pick<Post, 'id' | 'title' | 'status'>): string {
  const slug = slugOfTitle(title);
  if (status !== 'published' || slug === '' || RESERVED.has(slug)) return `/posts/${id}`;
  return `/posts/${id}/${encodeURIComponent(slug)}`;
}

export function categoryPath(slug: string): string {
  return `/categories/${encodeURIComponent(slug)}`;
}

/** The address of a member's page. */
export function memberPath(username: string): string {
  return `/u/${encodeURIComponent(username)}`;
}
