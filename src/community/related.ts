// The posts to read after a post.

import type { Community } from './community.ts';
import type { Post } from './post-store.ts';
import type { RelatedPost } from './related-store.ts';

export type { RelatedPost } from './related-store.ts';

const MOST_RELATED = 4;

/** Find posts that share tags with a published post, and if these are few, others of its category. */
export async function relatedPosts({ reads }: Community, post: Post): Promise<RelatedPost[]> {
  const sharing = await reads.postsSharingTags(post.id, MOST_RELATED);
  if (sharing.length === MOST_RELATED) return sharing;
  const ids = new Set(sharing.map(({ id }) => id));
  const beside = await reads.postsBeside(post, MOST_RELATED + sharing.length);
  return [...sharing, ...beside.filter(({ id }) => !ids.has(id))].slice(0, MOST_RELATED);
}
