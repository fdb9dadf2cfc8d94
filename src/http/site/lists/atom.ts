// Atom feeds of new posts (RFC 4287).

import { BEGINNING } from '../../../community/feed.ts';
import type { PostSummary } from '../../../community/post.ts';
import { usernameKey } from '../../../identity/username.ts';
import { MINUTE, SECOND, type Timestamp } from '../../../lib/clock.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { categoryPath, memberPath, postPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { categoryOf } from './browsing.ts';
import { FEED_PAGE_SIZE } from './frame.ts';

const CACHEABLE_FOR = 5 * MINUTE;

/** Answer with the feed of all new posts. */
export async function newestFeed({ community }: SiteParts, c: PageContext): Promise<Response> {
  // The home page reads as many posts, so they are in the cache.
  const posts = await community.reads.newestPosts(FEED_PAGE_SIZE + 1);
  return feed(c, { title: c.get('site').name, path: '/', self: '/feed.atom' }, posts);
}

/** Answer with the feed of a category. */
export async function categoryFeed({ community }: SiteParts, c: PageContext): Promise<Response> {
  const category = categoryOf(await community.reads.categories(), c.req.param('slug') ?? '');
  if (category === undefined) return notFoundPage(c);
  const path = categoryPath(category.slug);
  const posts = await community.reads.postsInCategory(category.id, BEGINNING, FEED_PAGE_SIZE);
  return feed(c, { title: feedTitle(c, category.name), path, self: `${path}/feed.atom` }, posts);
}

/** Answer with the feed of a member. */
export async function memberFeed({ identity, community }: SiteParts, c: PageContext): Promise<Response> {
  const user = await identity.reads.findUserByName(usernameKey(c.req.param('username') ?? ''));
  if (user === undefined || user.status === 'closed') return notFoundPage(c);
  const path = memberPath(user.username);
  const { items } = await community.reads.publishedPostsOf(user.id, 0, FEED_PAGE_SIZE);
  return feed(c, { title: feedTitle(c, user.username), path, self: `${path}/feed.atom` }, items);
}

interface Feed {
  title: string;
  /** The path of the page that lists the same posts. */
  path: string;
  /** The path of the feed. */
  self: string;
}

function feedTitle(c: PageContext, name: string): string {
  return `${name} · ${c.get('site').name}`;
}

function feed(c: PageContext, { title, path, self }: Feed, posts: readonly PostSummary[]): Response {
  const { baseUrl } = c.get('site');
  const updated = Math.max(0, ...posts.map(({ updatedAt }) => updatedAt));
  const text = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escaped(baseUrl + self)}</id>
<title>${escaped(title)}</title>
<updated>${moment(updated)}</updated>
<link rel="self" type="application/atom+xml" href="${escaped(baseUrl + self)}"/>
<link rel="alternate" type="text/html" href="${escaped(baseUrl + path)}"/>
${posts
  .slice(0, FEED_PAGE_SIZE)
  .map((post) => entry(post, baseUrl))
  .join('')}</feed>
`;
  return c.body(text, 200, {
    'Cache-Control': `public, max-age=${CACHEABLE_FOR / SECOND}`,
    'Content-Type': 'application/atom+xml; charset=utf-8',
  });
}

// The id has no title in it, because an id must never change and a title can (RFC 4287 §4.2.6).
function entry(post: PostSummary, baseUrl: string): string {
  return `<entry>
<id>${escaped(baseUrl)}/posts/${post.id}</id>
<title>${escaped(post.title)}</title>
<link rel="alternate" type="text/html" href="${escaped(baseUrl + postPath(post))}"/>
<published>${moment(post.publishedAt ?? post.createdAt)}</published>
<updated>${moment(post.updatedAt)}</updated>
<author>
<name>${escaped(post.authorName)}</name>
<uri>${escaped(baseUrl + memberPath(post.authorName))}</uri>
</author>
<category term="${escaped(post.categorySlug)}" label="${escaped(post.categoryName)}"/>
<summary>${escaped(post.excerpt)}</summary>
</entry>
`;
}

/** Write a moment as XML formats do. */
export function moment(at: Timestamp): string {
  return new Date(at).toISOString();
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escape a text. XML 1.0 forbids most control characters, even escaped ones (§2.2). */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
