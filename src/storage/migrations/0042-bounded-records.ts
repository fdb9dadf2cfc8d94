// When each callback and secret of an application was last used, in place of a number for each hour; the state of an
// application's requests; and since when an application has its name and its owner.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { text: 'text', clustered: ' WITHOUT ROWID' },
  postgres: { text: 'text COLLATE "C"', clustered: '' },
};

const IS_USE = "(what LIKE 'callback %' OR what LIKE 'secret %')";

export const boundedRecords: Migration = {
  name: '0042-bounded-records',
  up(dialect) {
    const { text, clustered } = words[dialect];
    return [
      `CREATE TABLE client_uses (
        client_id ${text} NOT NULL,
        name ${text} NOT NULL,
        last_hour bigint NOT NULL,
        PRIMARY KEY (client_id, name)
      )${clustered}`,
      'CREATE INDEX client_uses_by_age ON client_uses (last_hour)',
      `INSERT INTO client_uses (client_id, name, last_hour)
        SELECT client_id, what, max(hour) FROM client_hours WHERE ${IS_USE} GROUP BY client_id, what`,
      `DELETE FROM client_hours WHERE ${IS_USE}`,
      `CREATE INDEX security_events_of_replays ON security_events (client_id, at)
        WHERE event = 'refresh_token_reused'`,
      `CREATE TABLE request_versions (
        client_id ${text} PRIMARY KEY REFERENCES clients (id) ON DELETE CASCADE,
        version bigint NOT NULL
      )${clustered}`,
      'ALTER TABLE clients ADD COLUMN former_name text',
      'ALTER TABLE clients ADD COLUMN renamed_at bigint',
      'ALTER TABLE clients ADD COLUMN owner_since bigint',
    ];
  },
};
