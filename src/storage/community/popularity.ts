// The popularity of posts in SQL: `community/popularity.ts` has the rule.

import { sql } from '../engine/sql.ts';

/** Compute a post's popularity again. It must run after the effects that change the post's counts. */
export const updatePopularity = sql<{ postId: number; weight: number }>`
  UPDATE posts
  SET heat = published_at
    + cast(floor(ln(1 + like_count + 2 * comment_count) * cast(:weight AS double precision)) AS bigint)
  WHERE id = :postId AND published_at IS NOT NULL`;
