// Indexes that find the reports a member sent.

import type { Migration } from './migration.ts';

export const reportsOfMembers: Migration = {
  name: '0033-reports-of-members',
  up() {
    return [
      'CREATE INDEX reports_of_reporter ON reports (reporter_id, id)',
      'CREATE INDEX client_reports_of_reporter ON client_reports (reporter_id, created_at)',
    ];
  },
};
