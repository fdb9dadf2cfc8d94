// Removed comments that show above their replies are found from these, so that the others cost a page nothing. On a
// million comments the index takes a second or two.

import type { Migration } from './migration.ts';

export const answeredComments: Migration = {
  name: '0085-answered-comments',
  up() {
    return [
      `CREATE INDEX published_replies_of_post ON comments (post_id, parent_id)
        WHERE parent_id IS NOT NULL AND status = 'published'`,
      'DROP INDEX removed_comments_of_post',
    ];
  },
};
