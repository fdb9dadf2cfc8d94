// Indexes for lists of applications: the reports of one, its consents, those that describe themselves, and new logos.

import type { Migration } from './migration.ts';

export const listsOfApplications: Migration = {
  name: '0062-lists-of-applications',
  up() {
    return [
      `CREATE INDEX client_reports_of_client ON client_reports (client_id, created_at)
        WHERE closed_at IS NULL`,
      // With the withdrawn ones, which keep an application from being deleted.
      'CREATE INDEX grants_by_client ON grants (client_id, withdrawn_at)',
      'DROP INDEX grants_of_client',
      'CREATE INDEX clients_described ON clients (id) WHERE claimed_name IS NOT NULL',
    ];
  },
};
