// All posts that are or were published, for operators.

import { inPieces } from '../lib/pieces.ts';
import type { Community } from './community.ts';
import type { ListedPost, PostQuery } from './post-list-store.ts';

// Posts are read in batches that fit into memory.
const BATCH = 500;

/** All posts that match, oldest first. `search` is a part of the title. */
export function matchingPosts({ reads }: Community, query: PostQuery): AsyncGenerator<ListedPost> {
  const search = query.search?.toLowerCase();
  return inPieces(BATCH, (last: ListedPost | undefined) =>
    reads.postsMatching({ ...query, search }, last?.id ?? 0, BATCH),
  );
}
