// Since when an account has its email address. Null: for long, or since it joined.

import type { Migration } from './migration.ts';

export const youngAddresses: Migration = {
  name: '0067-young-addresses',
  up: () => ['ALTER TABLE users ADD COLUMN email_since bigint'],
};
