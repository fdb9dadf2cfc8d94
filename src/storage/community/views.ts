// Views, one row for each visitor, post and day. Each new row adds 1 to the post's count.

import type { View, ViewWrites } from '../../community/view-store.ts';
import { groupsOf } from '../../lib/groups.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

// On SQLite these views share a commit, and every other request waits for it. On PostgreSQL each takes a
// connection that pages need too.
const MOST_IN_PARALLEL = { sqlite: 100, postgres: 4 };

export function viewRows(database: Database): ViewWrites {
  function countView(view: View) {
    const effects = [incrementViewCount({ postId: view.postId })];
    return database.atomically({ audit: NO_ENTRY, guard: insertView(view), effects });
  }

  return {
    async countViews(views) {
      const step = MOST_IN_PARALLEL[database.dialect];
      for (const group of groupsOf(views, step)) await Promise.all(group.map(countView));
    },
  };
}

const insertView = sql<View>`
  INSERT INTO views (post_id, day, visitor)
  SELECT posts.id, :day, :visitor
  FROM posts
  WHERE posts.id = :postId AND posts.status = 'published'
  ON CONFLICT DO NOTHING`;

const incrementViewCount = sql<{ postId: number }>`
  UPDATE posts SET view_count = view_count + 1 WHERE id = :postId`;
