// PostgreSQL plans a list of any category or language for one of middle size, and so would look for the few posts of a
// small one among all. Told that there are many categories, it reads the index that belongs to the list, which is right
// for small and large ones.

import type { Migration } from './migration.ts';

export const smallLists: Migration = {
  name: '0087-small-lists',
  up(dialect) {
    if (dialect === 'sqlite') return [];
    return [
      'ALTER TABLE posts ALTER COLUMN category_id SET (n_distinct = 1000)',
      'ALTER TABLE posts ALTER COLUMN language SET (n_distinct = 1000)',
      'ANALYZE posts (category_id, language)',
    ];
  },
};
