// The popularity of posts in SQL: `community/popularity.ts` has the rule.

import { type Bound, sql } from '../engine/sql.ts';

/** Compute a post's popularity again. It must run after the effects that change the post's counts. */
export function updatePopularity(of: OfPost & { weight: number }): Bound<unknown>[] {
  return [updateInPost(of), updateInTags({ postId: of.postId })];
}

interface OfPost {
  postId: number;
}

const updateInPost = sql<OfPost & { weight: number }>`
  UPDATE posts
  SET heat = published_at
    + cast(floor(ln(1 + like_count + 2 * comment_count) * cast(:weight AS double precision)) AS bigint)
  WHERE id = :postId AND published_at IS NOT NULL`;

const updateInTags = sql<OfPost>`
  UPDATE post_tags SET popularity = (SELECT posts.heat FROM posts WHERE posts.id = :postId)
  WHERE post_id = :postId`;
