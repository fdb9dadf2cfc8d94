// Tags that operators have renamed, merged or hidden.

import type { Migration } from './migration.ts';

export const changedTags: Migration = {
  name: '0074-changed-tags',
  up() {
    return [
      // The tag that has the posts of this one, whose name is an earlier name of it. No reference, because a move to
      // another database copies rows in the order of their ids.
      'ALTER TABLE tags ADD COLUMN heir_id bigint',
      'ALTER TABLE tags ADD COLUMN hidden_at bigint',
      'CREATE INDEX tags_with_heir ON tags (heir_id) WHERE heir_id IS NOT NULL',
      'CREATE INDEX tags_hidden ON tags (hidden_at) WHERE hidden_at IS NOT NULL',
      `CREATE INDEX tags_listed ON tags (post_count DESC, id)
        WHERE post_count > 0 AND heir_id IS NULL AND hidden_at IS NULL`,
      'DROP INDEX tags_by_use',
    ];
  },
};
