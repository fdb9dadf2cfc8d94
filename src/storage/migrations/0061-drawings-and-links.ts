// The cards and icons that the server has drawn, and the links that members have on their pages.

import type { Migration } from './migration.ts';

const bytes = { sqlite: 'blob', postgres: 'bytea' };

export const drawingsAndLinks: Migration = {
  name: '0061-drawings-and-links',
  up(dialect) {
    return [
      `CREATE TABLE drawings (
        name text PRIMARY KEY,
        version text NOT NULL,
        user_id bigint REFERENCES users (id) ON DELETE CASCADE,
        image ${bytes[dialect]} NOT NULL,
        drawn_at bigint NOT NULL
      )`,
      'CREATE INDEX drawings_by_age ON drawings (drawn_at, name)',
      'CREATE INDEX drawings_of_members ON drawings (user_id) WHERE user_id IS NOT NULL',
      // One address on each line.
      "ALTER TABLE users ADD COLUMN links text NOT NULL DEFAULT ''",
    ];
  },
};
