// Since when an application is deactivated. Consents to it are withdrawn after some time.

import type { Migration } from './migration.ts';

export const deactivatedApplications: Migration = {
  name: '0034-deactivated-applications',
  up() {
    return [
      'ALTER TABLE clients ADD COLUMN deactivated_at bigint',
      `UPDATE clients SET deactivated_at = coalesce((
          SELECT max(at) FROM audit_events
          WHERE subject_kind = 'client' AND subject_id = clients.id AND action = 'client.deactivate'), created_at)
        WHERE status = 'deactivated'`,
      'CREATE INDEX clients_by_deactivation ON clients (deactivated_at) WHERE deactivated_at IS NOT NULL',
    ];
  },
};
