// The addresses that imported contents had at their source, so that links to them still lead there.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { text: 'text', clustered: ' WITHOUT ROWID' },
  postgres: { text: 'text COLLATE "C"', clustered: '' },
};

export const oldAddresses: Migration = {
  name: '0017-old-addresses',
  up(dialect) {
    const { text, clustered } = words[dialect];
    return [
      `CREATE TABLE old_addresses (
        address ${text} PRIMARY KEY NOT NULL,
        kind ${text} NOT NULL CHECK (kind IN ('member', 'category', 'post', 'comment')),
        local_id bigint NOT NULL
      )${clustered}`,
      // For closing an account.
      "CREATE INDEX old_addresses_of_member ON old_addresses (local_id) WHERE kind = 'member'",
    ];
  },
};
