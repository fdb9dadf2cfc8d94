// The addresses of posts and of what lists them.

import type { Post } from '../../community/post.ts';
import { slugOfTitle } from '../../community/slug.ts';
import { NUMBER } from './numbers.ts';

/** The path of a post, and of what is below it. */
export const POST_PATH = `/posts/:id${NUMBER}` as const;

// What stands below a post's number and is no title.
const PAGES = new Set(
  'edit remove publish autosave restore like unlike likes comment comments report reports views'.split(' '),
);

/** The one path of a post that all links use. Its number alone leads there too, and a draft has no other. */
export function postPath({ id, title, status }: Pick<Post, 'id' | 'title' | 'status'>): string {
  const slug = slugOfTitle(title);
  if (status !== 'published' || slug === '' || PAGES.has(slug)) return `/posts/${id}`;
  return `/posts/${id}/${encodeURIComponent(slug)}`;
}

export function categoryPath(slug: string): string {
  return `/categories/${encodeURIComponent(slug)}`;
}

/** The address of a member's page. */
export function memberPath(username: string): string {
  return `/u/${encodeURIComponent(username)}`;
}
