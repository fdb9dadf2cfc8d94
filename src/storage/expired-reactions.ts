// Notifications and views that have had their time: deleted in steps of at most so many.

import type { Timestamp } from '../lib/clock.ts';
import { type Param, rowCount, statement } from './statement.ts';

export const deleteNotifications = statement((sql, p: Param<{ by: Timestamp; most: number }>) =>
  sql
    .deleteFrom('notifications')
    .where('id', 'in', (of) =>
      of
        .selectFrom('notifications')
        .select('id')
        .where('created_at', '<=', p('by'))
        .orderBy('created_at')
        .limit(rowCount(p('most'))),
    )
    .returning('id'),
);

/** The counts stay; who looked on a day that is over is nobody's concern. */
export const deleteViews = statement((sql, p: Param<{ before: number; most: number }>) =>
  sql
    .deleteFrom('views')
    .where(({ refTuple, selectFrom, eb }) =>
      eb(
        refTuple('post_id', 'day', 'visitor'),
        'in',
        selectFrom('views')
          .select(['post_id', 'day', 'visitor'])
          .where('day', '<', p('before'))
          .orderBy('day')
          .limit(rowCount(p('most')))
          .$asTuple('post_id', 'day', 'visitor'),
      ),
    )
    .returning('post_id'),
);
