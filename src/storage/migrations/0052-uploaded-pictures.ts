// Pictures that members upload: their smaller versions, where their bytes are, and which no text uses. Lists show the
// first picture of a post.

import type { Dialect } from '../engine/sql.ts';
import type { Migration } from './migration.ts';

export const uploadedPictures: Migration = {
  name: '0052-uploaded-pictures',
  up: (dialect) => [
    // The path of the first picture in the text. Texts from before get it when they are rendered again.
    'ALTER TABLE posts ADD COLUMN picture text',
    // Only for pictures that members uploaded themselves.
    'ALTER TABLE pictures ADD COLUMN uploaded_at bigint',
    // Since when maybe no text shows the picture. NULL if a text does.
    'ALTER TABLE pictures ADD COLUMN unused_since bigint',
    // 1 if the bytes are in the store of files, and not in the columns `image`.
    'ALTER TABLE pictures ADD COLUMN is_file integer NOT NULL DEFAULT 0',
    'CREATE INDEX pictures_uploaded ON pictures (user_id, size) WHERE uploaded_at IS NOT NULL',
    'CREATE INDEX pictures_unused ON pictures (unused_since, id) WHERE unused_since IS NOT NULL',
    `CREATE TABLE picture_versions (
      picture_id bigint NOT NULL REFERENCES pictures (id) ON DELETE CASCADE,
      width integer NOT NULL,
      image ${dialect === 'sqlite' ? 'blob' : 'bytea'} NOT NULL,
      PRIMARY KEY (picture_id, width)
    )`,
    // Pictures whose files may have to be deleted from the store: uploads in progress, and those that are gone.
    `CREATE TABLE leftover_files (
      digest text PRIMARY KEY,
      since bigint NOT NULL
    )`,
    'CREATE INDEX leftover_files_by_age ON leftover_files (since)',
    ...TRIGGERS[dialect],
  ],
};

// Pictures are deleted with texts and accounts, in many places. A file can't be deleted in a transaction.
const NOTE =
  'INSERT INTO leftover_files (digest, since) VALUES (OLD.digest, 0) ON CONFLICT (digest) DO NOTHING';

const TRIGGERS: Record<Dialect, string[]> = {
  sqlite: [
    `CREATE TRIGGER note_leftover_files AFTER DELETE ON pictures WHEN OLD.is_file = 1 BEGIN ${NOTE}; END`,
    // Lists in memory show the picture.
    `CREATE TRIGGER note_post_pictures AFTER UPDATE OF picture ON posts
      WHEN OLD.picture IS NOT NEW.picture AND NEW.status = 'published'
      BEGIN INSERT INTO changes (kind, key) SELECT 'posts', OLD.user_id; END`,
  ],
  postgres: [
    `CREATE FUNCTION note_leftover_files() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${NOTE}; RETURN NULL; END $$`,
    `CREATE TRIGGER note_leftover_files AFTER DELETE ON pictures
      FOR EACH ROW WHEN (OLD.is_file = 1) EXECUTE FUNCTION note_leftover_files()`,
  ],
};
