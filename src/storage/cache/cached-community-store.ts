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
      return cache.readThrough({
        find: () => newestPosts.get(limit),
        read: () => store.newestPosts(limit),
        keep: (list) => newestPosts.set(limit, list),
      });
    },
    async pinnedPosts(limit) {
      return cache.readThrough({
        find: () => pinnedPosts.get(limit),
        read: () => store.pinnedPosts(limit),
        keep: (list) => pinnedPosts.set(limit, list),
      });
    },
    async popularSince(since, limit) {
      const key = `${since}+${limit}`;
      return cache.readThrough({
        find: () => popularPosts.get(key),
        read: () => store.popularSince(since, limit),
        keep: (list) => popularPosts.set(key, list),
      });
    },
    async newestInCategory(slug, limit) {
      const key = `${slug}+${limit}`;
      return cache.readThrough({
        find: () => newestInCategory.get(key),
        read: () => store.newestInCategory(slug, limit),
        keep: (list) => newestInCategory.set(key, list),
      });
    },
  };
}
