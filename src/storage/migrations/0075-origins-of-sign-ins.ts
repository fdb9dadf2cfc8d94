// The browser and the network in which a member signed in to an application. Null: from before, or unknown.

import type { Migration } from './migration.ts';

export const originsOfSignIns: Migration = {
  name: '0075-origins-of-sign-ins',
  up: () =>
    ['authorization_codes', 'token_families'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN program text`,
      `ALTER TABLE ${table} ADD COLUMN network text`,
    ]),
};
