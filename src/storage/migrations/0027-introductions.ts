// What applications tell members about themselves, and members' reports of applications.

import type { Migration } from './migration.ts';

export const introductions: Migration = {
  name: '0027-introductions',
  up(dialect) {
    const reference = dialect === 'postgres' ? 'text COLLATE "C"' : 'text';
    const clustered = dialect === 'postgres' ? '' : ' WITHOUT ROWID';
    return [
      "ALTER TABLE clients ADD COLUMN required_scopes text NOT NULL DEFAULT ''",
      // JSON: for each scope a text in one language or in both.
      "ALTER TABLE clients ADD COLUMN scope_reasons text NOT NULL DEFAULT '{}'",
      'ALTER TABLE clients ADD COLUMN home_page text',
      // One row per member and application: a later report replaces a closed one.
      `CREATE TABLE client_reports (
        client_id ${reference} NOT NULL REFERENCES clients (id),
        reporter_id bigint NOT NULL REFERENCES users (id),
        reason text NOT NULL,
        note text NOT NULL DEFAULT '',
        created_at bigint NOT NULL,
        closed_at bigint,
        closed_by bigint REFERENCES users (id),
        PRIMARY KEY (client_id, reporter_id)
      )${clustered}`,
      'CREATE INDEX client_reports_open ON client_reports (created_at) WHERE closed_at IS NULL',
    ];
  },
};
