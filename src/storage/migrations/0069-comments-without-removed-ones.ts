// The lists of comments follow indexes that have only what they show, so that removed comments cost no one time.

import type { Migration } from './migration.ts';

export const commentsWithoutRemovedOnes: Migration = {
  name: '0069-comments-without-removed-ones',
  up() {
    return [
      `CREATE INDEX published_comments_of_post ON comments (post_id, id)
        WHERE parent_id IS NULL AND status = 'published'`,
      // They show above their replies, and are few: one without replies is deleted.
      `CREATE INDEX removed_comments_of_post ON comments (post_id, id)
        WHERE parent_id IS NULL AND status = 'removed'`,
      `CREATE INDEX published_replies ON comments (parent_id, id)
        WHERE parent_id IS NOT NULL AND status = 'published'`,
      'DROP INDEX comments_of_post',
    ];
  },
};
