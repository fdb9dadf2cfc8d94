// The posts to read after a post.

import type { Community } from './community.ts';
import type { Post } from './post-store.ts';
import type { RelatedPost } from './related-store.ts';
import { tagsIn } from './tag.ts';

export type { RelatedPost } from './related-store.ts';

const MOST_RELATED = 4;

/** Find posts that share tags with a published post, and if these are few, others of its category. */
export async function relatedPosts({ reads }: Community, post: Post): Promise<RelatedPost[]> {
  const sharing = tagsIn(post).length > 0 ? await reads.postsSharingTags(post.id, MOST_RELATED) : [];
  if (sharing.length === MOST_RELATED) return sharing;
  const ids = new Set([post.id, ...sharing.map(({ id }) => id)]);
  // As many for all posts of a category, so that storage can keep them.
  const beside = await reads.newestInCategory(post.categorySlug, 2 * MOST_RELATED);
  return [...sharing, ...beside.filter(({ id }) => !ids.has(id))].slice(0, MOST_RELATED);
}
