// The logos of applications, and what operators decided about applications and logos.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { bytes: 'blob', text: 'text' },
  postgres: { bytes: 'bytea', text: 'text COLLATE "C"' },
};

export const reviewedApplications: Migration = {
  name: '0045-reviewed-applications',
  up(dialect) {
    const { bytes, text } = words[dialect];
    return [
      // The digest of the picture, and the logo, the owner and the name as an operator approved them.
      'ALTER TABLE clients ADD COLUMN logo text',
      'ALTER TABLE clients ADD COLUMN logo_approved_as text',
      // Why operators did not approve the application.
      'ALTER TABLE clients ADD COLUMN review_note text',
      "CREATE INDEX clients_waiting ON clients (id) WHERE deactivation = 'approval'",
      `CREATE TABLE client_logos (
        client_id ${text} PRIMARY KEY REFERENCES clients (id),
        digest ${text} NOT NULL,
        image ${bytes} NOT NULL,
        uploaded_at bigint NOT NULL
      )`,
      'CREATE INDEX client_logos_by_digest ON client_logos (digest)',
    ];
  },
};
