// All posts that are or were published, for operators.

import type { Community } from './community.ts';
import type { ListedPost, PostQuery } from './post-list-store.ts';

// Posts are read in batches that fit into memory.
const BATCH = 500;

/** All posts that match, oldest first. `search` is a part of the title. */
export async function* matchingPosts({ reads }: Community, query: PostQuery): AsyncGenerator<ListedPost> {
  const search = query.search?.toLowerCase();
  let after: number | undefined = 0;
  while (after !== undefined) {
    const batch: ListedPost[] = await reads.postsMatching({ ...query, search }, after, BATCH);
    yield* batch;
    after = batch.length < BATCH ? undefined : batch.at(-1)?.id;
  }
}
