// Feeds of new posts for feed readers (RFC 4287).

import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { BEGINNING } from '../../../community/feed.ts';
import type { PostSummary } from '../../../community/post.ts';
import { usernameKey } from '../../../identity/username.ts';
import { MINUTE, SECOND, type Timestamp } from '../../../lib/clock.ts';
import { categoryPath, memberPath, postPath } from '../../pages/post-path.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { categoryOf } from './browsing.ts';
import { FEED_PAGE_SIZE } from './frame.ts';

const KEPT_FOR = 5 * MINUTE;

export function atomFeeds(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  const { reads } = site.community;
  door.get('/feed.atom', etag(), async (c) => {
    // As many as the first page asks for, which are kept.
    const posts = await reads.newestPosts(FEED_PAGE_SIZE + 1);
    return feed(c, { title: c.get('site').name, path: '/', self: '/feed.atom' }, posts);
  });
  door.get('/categories/:slug/feed.atom', etag(), async (c) => {
    const category = categoryOf(await reads.categories(), c.req.param('slug'));
    if (category === undefined) return notFoundPage(c);
    const path = categoryPath(category.slug);
    const posts = await reads.postsInCategory(category.id, BEGINNING, FEED_PAGE_SIZE);
    return feed(c, { title: named(c, category.name), path, self: `${path}/feed.atom` }, posts);
  });
  door.get('/u/:username/feed.atom', etag(), async (c) => {
    const user = await site.identity.reads.findUserByName(usernameKey(c.req.param('username')));
    if (user === undefined || user.status === 'closed') return notFoundPage(c);
    const path = memberPath(user.username);
    const { items } = await reads.publishedPostsOf(user.id, 0, FEED_PAGE_SIZE);
    return feed(c, { title: named(c, user.username), path, self: `${path}/feed.atom` }, items);
  });
  return door;
}

interface Feed {
  title: string;
  /** The page that lists the same. */
  path: string;
  self: string;
}

function named(c: PageContext, name: string): string {
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
    'Cache-Control': `public, max-age=${KEPT_FOR / SECOND}`,
    'Content-Type': 'application/atom+xml; charset=utf-8',
  });
}

// A post's number names it for good; what its title makes of the address may change.
function entry(post: PostSummary, baseUrl: string): string {
  return `<entry>
<id>${escaped(baseUrl)}/posts/${post.id}</id>
<title>${escaped(post.title)}</title>
<link rel="alternate" type="text/html" href="${escaped(baseUrl + postPath(post))}"/>
<published>${moment(post.publishedAt ?? post.createdAt)}</published>
<updated>${moment(post.updatedAt)}</updated>
<author><name>${escaped(post.authorName)}</name><uri>${escaped(baseUrl + memberPath(post.authorName))}</uri></author>
<category term="${escaped(post.categorySlug)}" label="${escaped(post.categoryName)}"/>
<summary>${escaped(post.excerpt)}</summary>
</entry>
`;
}

function moment(at: Timestamp): string {
  return new Date(at).toISOString();
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// Most control characters have no place in XML 1.0, not even escaped (§2.2).
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
