// What becomes of all that a member left when the account is closed: their words go from sight, what tells of the
// person goes altogether, and what others have of it (points, counts of their own doing) stays.

import type { Timestamp } from '../../lib/clock.ts';
import { type Bound, type Param, statement } from '../engine/statement.ts';
import { deleteAvatar } from './avatars.ts';
import { deleteMailTokensOf } from './mail-tokens.ts';

/** The effects of a closing on everything but the account itself and its sessions. */
export function closedAccount(userId: number, at: Timestamp, by: number | undefined): Bound<unknown>[] {
  const who = { userId };
  const removal = { userId, at, by: by ?? null };
  return [
    // Before the posts and comments change: which of them were to be seen is told by their state.
    deleteWordsOf(who),
    discountComments(who),
    removePublishedPosts(removal),
    removeDrafts(removal),
    removeComments(removal),
    eraseComments(who),
    deleteAvatar(who),
    deleteNotificationsFor(who),
    deleteMailsTo(who),
    deleteMailTokensOf(who),
    // One that was used tells who came by it, and makes nobody welcome any more.
    deleteUnusedInvitationsBy(who),
    // No token of a closed account is taken; without these it is not counted as a user of applications either.
    withdrawGrantsOf({ userId, at }),
  ];
}

type Who = { userId: number };
type Removal = Who & { at: Timestamp; by: number | null };

const deleteWordsOf = statement((sql, p: Param<Who>) =>
  sql
    .deleteFrom('post_words')
    .where('post_id', 'in', (of) =>
      of
        .selectFrom('posts')
        .select('posts.id')
        .where('posts.user_id', '=', p('userId'))
        .where('posts.status', '=', 'published'),
    ),
);

const discountComments = statement((sql, p: Param<Who>) =>
  sql
    .updateTable('posts')
    .set((of) => ({
      comment_count: of(
        'comment_count',
        '-',
        of
          .selectFrom('comments')
          .select((count) => count.fn.countAll<number>().as('count'))
          .whereRef('comments.post_id', '=', 'posts.id')
          .where('comments.user_id', '=', p('userId'))
          .where('comments.status', '=', 'published')
          .$asScalar(),
      ),
    }))
    .where('id', 'in', (of) =>
      of
        .selectFrom('comments')
        .select('comments.post_id')
        .where('comments.user_id', '=', p('userId'))
        .where('comments.status', '=', 'published'),
    ),
);

const removePublishedPosts = statement((sql, p: Param<Removal>) =>
  sql
    .updateTable('posts')
    .set({ status: 'removed', removed_at: p('at'), removed_by: p('by') })
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'published'),
);

const removeDrafts = statement((sql, p: Param<Removal>) =>
  sql
    .updateTable('posts')
    .set({ status: 'removed', removed_at: p('at'), removed_by: p('by') })
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'draft'),
);

const removeComments = statement((sql, p: Param<Removal>) =>
  sql
    .updateTable('comments')
    .set({ status: 'removed', removed_at: p('at'), removed_by: p('by') })
    .where('user_id', '=', p('userId'))
    .where('status', '=', 'published'),
);

const eraseComments = statement((sql, p: Param<Who>) =>
  sql.updateTable('comments').set({ body: '' }).where('user_id', '=', p('userId')),
);

const deleteNotificationsFor = statement((sql, p: Param<Who>) =>
  sql.deleteFrom('notifications').where('user_id', '=', p('userId')),
);

const deleteMailsTo = statement((sql, p: Param<Who>) =>
  sql.deleteFrom('mails').where('user_id', '=', p('userId')),
);

const deleteUnusedInvitationsBy = statement((sql, p: Param<Who>) =>
  sql.deleteFrom('invitations').where('created_by', '=', p('userId')).where('used_by', 'is', null),
);

const withdrawGrantsOf = statement((sql, p: Param<Who & { at: Timestamp }>) =>
  sql
    .updateTable('grants')
    .set({ withdrawn_at: p('at') })
    .where('user_id', '=', p('userId'))
    .where('withdrawn_at', 'is', null),
);
