// The posts that a member bookmarked, and the newest comments on a post for its feed.

import type { Migration } from './migration.ts';

export const bookmarks: Migration = {
  name: '0060-bookmarks',
  up: (dialect) => [
    `CREATE TABLE bookmarks (
      post_id bigint NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES users (id),
      created_at bigint NOT NULL,
      PRIMARY KEY (post_id, user_id)
    )${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
    'CREATE INDEX bookmarks_of_user ON bookmarks (user_id, created_at DESC, post_id DESC)',
    "CREATE INDEX comments_newest_on_post ON comments (post_id, id DESC) WHERE status = 'published'",
  ],
};
