// What the owner of an application manages, and what the application did in each hour.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { bytes: 'blob', text: 'text', clustered: ' WITHOUT ROWID' },
  postgres: { bytes: 'bytea', text: 'text COLLATE "C"', clustered: '' },
};

export const ownedApplications: Migration = {
  name: '0040-owned-applications',
  up(dialect) {
    const { bytes, text, clustered } = words[dialect];
    return [
      "ALTER TABLE clients ADD COLUMN description text NOT NULL DEFAULT ''",
      // The last characters of each secret, and the one before, which is accepted until its end.
      'ALTER TABLE clients ADD COLUMN secret_ending text',
      'ALTER TABLE clients ADD COLUMN secret_added_at bigint',
      `ALTER TABLE clients ADD COLUMN previous_secret_digest ${bytes}`,
      'ALTER TABLE clients ADD COLUMN previous_secret_ending text',
      'ALTER TABLE clients ADD COLUMN previous_secret_until bigint',
      // Why it is deactivated. NULL: the operators did so.
      'ALTER TABLE clients ADD COLUMN deactivation text',
      'ALTER TABLE clients ADD COLUMN delete_at bigint',
      'ALTER TABLE clients ADD COLUMN transfer_to bigint REFERENCES users (id)',
      'ALTER TABLE clients ADD COLUMN transfer_until bigint',
      `CREATE INDEX clients_by_previous_secret ON clients (previous_secret_digest)
        WHERE previous_secret_digest IS NOT NULL`,
      'CREATE INDEX clients_transferred ON clients (transfer_to) WHERE transfer_to IS NOT NULL',
      'CREATE INDEX clients_to_delete ON clients (delete_at) WHERE delete_at IS NOT NULL',
      `CREATE TABLE client_hours (
        hour bigint NOT NULL,
        client_id ${text} NOT NULL,
        what ${text} NOT NULL,
        times bigint NOT NULL,
        PRIMARY KEY (client_id, hour, what)
      )${clustered}`,
      'CREATE INDEX client_hours_by_age ON client_hours (hour)',
      ...(dialect === 'postgres' ? [] : CHANGES),
    ];
  },
};

// Owners change their applications often. Only a status is part of other records in memory than the application's.
const CHANGES = [
  'DROP TRIGGER note_clients',
  `CREATE TRIGGER note_client_status AFTER UPDATE ON clients WHEN OLD.status <> NEW.status
    BEGIN INSERT INTO changes (kind, key) SELECT 'all', NULL; END`,
  `CREATE TRIGGER note_clients AFTER UPDATE ON clients WHEN OLD.status = NEW.status
    BEGIN INSERT INTO changes (kind, key) SELECT 'client', NEW.id; END`,
];
