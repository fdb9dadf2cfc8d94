// Wraps a CommunityStore in another CommunityStore that answers the most frequent reads from memory.

import type { PublishedPosts } from '../../community/post-store.ts';
import type { CommunityStore } from '../../community/store.ts';
import { BoundedMap } from '../../lib/remember.ts';
import type { Cache } from './cache.ts';

// Few, since a reader of a long list rarely goes back to an earlier page.
const PAGES_PER_MEMBER = 4;

export function cachedCommunityStore(store: CommunityStore, cache: Cache): CommunityStore {
  const { posts, newestPosts, pinnedPosts, popularPosts, newestInCategory } = cache.records;

  function pagesOf(userId: number): BoundedMap<string, PublishedPosts> {
    const pages = posts.get(userId) ?? new BoundedMap(PAGES_PER_MEMBER);
    posts.set(userId, pages);
    return pages;
  }

  return {
    ...store,
    publishedPostsOf(userId, offset, limit) {
      const pageKey = `${offset}+${limit}`;
      return cache.readThrough({
        find: () => posts.get(userId)?.get(pageKey),
        read: () => store.publishedPostsOf(userId, offset, limit),
        keep: (page) => pagesOf(userId).set(pageKey, page),
      });
    },
    async newestPosts(limit) {
      return cache.readKept(newestPosts, limit, () => store.newestPosts(limit));
    },
    async pinnedPosts(limit) {
      return cache.readKept(pinnedPosts, limit, () => store.pinnedPosts(limit));
    },
    async popularSince(since, limit) {
      return cache.readKept(popularPosts, `${since}+${limit}`, () => store.popularSince(since, limit));
    },
    async newestInCategory(slug, limit) {
      return cache.readKept(newestInCategory, `${slug}+${limit}`, () => store.newestInCategory(slug, limit));
    },
  };
}
