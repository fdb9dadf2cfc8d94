// The feeds of posts: the newest, the popular ones, and those of a category, a tag or a member.

import type { Community } from '../../../community/community.ts';
import { BEGINNING } from '../../../community/feed.ts';
import { type PostSummary, postFor } from '../../../community/post.ts';
import { htmlOf } from '../../../community/rendering.ts';
import { type ShownNames, shownTagsOf } from '../../../community/tag.ts';
import { usernameKey } from '../../../identity/username.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual, LANGUAGE_TAGS } from '../../pages/language.ts';
import { categoryPath, memberPath, postPath, tagPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { categoryOf } from './browsing.ts';
import type { Feed, FeedEntry } from './feed.ts';
import { answerFeed, type EntryTexts } from './feed-answer.ts';
import { FEED_PAGE_SIZE } from './frame.ts';
import { shownNames } from './shown-tags.ts';
import { tagInPath } from './tag-in-path.ts';

/** Answer with the feed of all new posts. */
export async function newestFeed(site: SiteParts, c: PageContext): Promise<Response> {
  // The home page reads as many posts, so they are in the cache.
  const posts = await site.community.reads.newestPosts(FEED_PAGE_SIZE + 1);
  return postFeed(site, c, { title: c.get('site').name, path: '/' }, posts);
}

/** Answer with the feed of the popular posts. */
export async function popularFeed(site: SiteParts, c: PageContext): Promise<Response> {
  const posts = await site.community.reads.popularPosts(BEGINNING, FEED_PAGE_SIZE);
  return postFeed(site, c, { title: titled(c, popular[c.get('site').language]), path: '/popular' }, posts);
}

/** Answer with the feed of a category. */
export async function categoryFeed(site: SiteParts, c: PageContext): Promise<Response> {
  const { reads } = site.community;
  const category = categoryOf(await reads.categories(), c.req.param('slug') ?? '');
  if (category === undefined) return notFoundPage(c);
  const posts = await reads.postsInCategory(category.id, BEGINNING, FEED_PAGE_SIZE);
  return postFeed(site, c, { title: titled(c, category.name), path: categoryPath(category.slug) }, posts);
}

/** Answer with the feed of a tag. */
export async function tagFeed(site: SiteParts, c: PageContext): Promise<Response> {
  const tag = await tagInPath(site, c);
  if (tag === undefined) return notFoundPage(c);
  const posts = await site.community.reads.postsWithTag(tag.id, BEGINNING, FEED_PAGE_SIZE);
  return postFeed(site, c, { title: titled(c, `#${tag.name}`), path: tagPath(tag.name) }, posts);
}

/** Answer with the feed of a member. */
export async function memberFeed(site: SiteParts, c: PageContext): Promise<Response> {
  const user = await site.identity.reads.findUserByName(usernameKey(c.req.param('username') ?? ''));
  if (user === undefined || user.status === 'closed') return notFoundPage(c);
  const { items } = await site.community.reads.publishedPostsOf(user.id, 0, FEED_PAGE_SIZE);
  return postFeed(site, c, { title: titled(c, user.username), path: memberPath(user.username) }, items);
}

/** The title of a feed other than the site's own. */
export function titled(c: PageContext, name: string): string {
  return `${name} · ${c.get('site').name}`;
}

/** Describe the feed whose page has this path. The feed's own name is the same as in the request. */
export function feedAt(
  c: PageContext,
  { title, path }: { title: string; path: string },
): Omit<Feed, 'updatedAt'> {
  const { baseUrl, language } = c.get('site');
  const name = c.req.path.endsWith('.json') ? 'feed.json' : 'feed.atom';
  const self = `${baseUrl}${path === '/' ? '' : path}/${name}`;
  return { title, page: baseUrl + path, self, language: LANGUAGE_TAGS[language] };
}

async function postFeed(
  site: SiteParts,
  c: PageContext,
  place: { title: string; path: string },
  posts: readonly PostSummary[],
): Promise<Response> {
  const { baseUrl } = c.get('site');
  const names = await shownNames(site);
  const entries = posts.slice(0, FEED_PAGE_SIZE).map((post) => entryOf(post, baseUrl, names));
  const updatedAt = Math.max(0, ...entries.map((entry) => entry.updatedAt));
  return answerFeed(c, { ...feedAt(c, place), updatedAt }, entries, textsOf(site.community, entries));
}

function textsOf(community: Community, entries: readonly FeedEntry[]): EntryTexts {
  return {
    async sizes() {
      const sizes = await community.reads.postSizes(entries.map(({ recordId }) => recordId));
      return new Map(sizes.map(({ id, bytes }) => [id, bytes]));
    },
    async htmlOf(ids) {
      const texts = new Map<number, string>();
      for (const id of ids) {
        const post = await postFor(community, undefined, id);
        if (post !== undefined) texts.set(id, await htmlOf(community, 'post', post));
      }
      return texts;
    },
  };
}

// The id has no title in it, because an id must never change and a title can (RFC 4287 §4.2.6).
function entryOf(post: PostSummary, baseUrl: string, names: ShownNames): FeedEntry {
  const { id, title, authorName, excerpt, categorySlug, categoryName } = post;
  const tags = shownTagsOf(post, names).map((name) => ({ name, label: name }));
  return {
    recordId: id,
    id: `${baseUrl}/posts/${id}`,
    address: baseUrl + postPath(post),
    title,
    author: authorName,
    authorAddress: baseUrl + memberPath(authorName),
    summary: excerpt,
    publishedAt: post.publishedAt ?? post.createdAt,
    updatedAt: post.updatedAt,
    categories: [{ name: categorySlug, label: categoryName }, ...tags],
  };
}

const popular = bilingual('Popular posts', '热门文章');
