// When each kind of background work last ran, and mails that were given up, which operators can send again.

import type { Migration } from './migration.ts';

const text = { sqlite: 'text', postgres: 'text COLLATE "C"' };

export const backgroundWork: Migration = {
  name: '0019-background-work',
  up(dialect) {
    return [
      `CREATE TABLE background_work (
        name ${text[dialect]} PRIMARY KEY,
        ran_at bigint,
        failed_at bigint,
        error text
      )`,
      // The reason why the last attempt failed.
      'ALTER TABLE mails ADD COLUMN problem text',
      // A mail that was given up is not due any more, and is deleted later.
      'ALTER TABLE mails ADD COLUMN given_up_at bigint',
    ];
  },
};
