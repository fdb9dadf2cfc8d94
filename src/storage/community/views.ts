// Views, as rows of a day: a visitor's is there or is not, and the count follows in the same step.

import type { View, ViewStore } from '../../community/view.ts';
import type { Database } from '../engine/database.ts';
import { type Param, statement } from '../engine/statement.ts';

// On the embedded database those at once share a commit, and nobody else is answered meanwhile; on PostgreSQL each takes
// a connection, of which pages need some.
const AT_ONCE = { sqlite: 100, postgres: 4 } as const;

export function viewRows(database: Database): ViewStore {
  return {
    async countViews(views) {
      const step = AT_ONCE[database.dialect];
      for (let start = 0; start < views.length; start += step) {
        await Promise.all(
          views
            .slice(start, start + step)
            .map((view) =>
              database.atomically({ guard: insertView(view), effects: [countView({ postId: view.postId })] }),
            ),
        );
      }
    },
  };
}

const insertView = statement((sql, p: Param<View>) =>
  sql
    .insertInto('views')
    .columns(['post_id', 'day', 'visitor'])
    .expression(
      sql
        .selectFrom('posts')
        .select((of) => ['posts.id', of.val(p('day')).as('day'), of.val(p('visitor')).as('visitor')])
        .where('posts.id', '=', p('postId'))
        .where('posts.status', '=', 'published'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const countView = statement((sql, p: Param<{ postId: number }>) =>
  sql
    .updateTable('posts')
    .set((of) => ({ view_count: of('view_count', '+', 1) }))
    .where('id', '=', p('postId')),
);
