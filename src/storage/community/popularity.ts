// How popular a post is, as its row: `community/popularity.ts` has the rule.

import { sql as rawSql } from 'kysely';
import { type Param, statement } from '../engine/statement.ts';

/** Reckons a post's place among the popular ones anew. The last effect of a transaction that changes a count of it. */
export const reheat = statement((sql, p: Param<{ postId: number; weight: number }>) =>
  sql
    .updateTable('posts')
    .set({
      heat: rawSql<number>`published_at + cast(floor(
        ln(1 + like_count + 2 * comment_count) * cast(${p('weight')} as double precision)) as bigint)`,
    })
    .where('id', '=', p('postId'))
    .where('published_at', 'is not', null),
);
