// Since when pictures are in no text has rows of its own. SQLite wrote the whole image anew with each change of the
// column, which stands behind it, and read through it to find the value. The column stays, and isn't read any more. The
// pictures of a post are found without those of its comments.

import type { Migration } from './migration.ts';

export const unusedPictures: Migration = {
  name: '0090-unused-pictures',
  up: () => [
    // A picture without a row is in a text.
    `CREATE TABLE unused_pictures (
      picture_id bigint PRIMARY KEY REFERENCES pictures (id) ON DELETE CASCADE,
      since bigint NOT NULL
    )`,
    `INSERT INTO unused_pictures (picture_id, since)
      SELECT id, unused_since FROM pictures WHERE unused_since IS NOT NULL`,
    'CREATE INDEX unused_pictures_by_age ON unused_pictures (since, picture_id)',
    'DROP INDEX pictures_unused',
    'DROP INDEX picture_uses_of_post',
    'CREATE INDEX picture_uses_of_post ON picture_uses (post_id, comment_id)',
  ],
};
