// A category that was merged into another one keeps its row until its posts have moved. On a million posts the indexes
// take a second or two.

import type { Migration } from './migration.ts';

export const mergedCategories: Migration = {
  name: '0084-merged-categories',
  up() {
    return [
      // The category that gets the posts of this one. No reference, because a move to another database copies rows in
      // the order of their ids.
      'ALTER TABLE categories ADD COLUMN heir_id bigint',
      // Deleting a category looks for its posts in any state, which would read all posts.
      'CREATE INDEX posts_of_category ON posts (category_id)',
      // Published posts have an index by category already.
      "CREATE INDEX posts_unpublished_by_category ON posts (category_id) WHERE status <> 'published'",
    ];
  },
};
