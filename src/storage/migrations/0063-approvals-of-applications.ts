// When operators approved an application as members see it, and under which name each member allowed one.

import type { Migration } from './migration.ts';

export const approvalsOfApplications: Migration = {
  name: '0063-approvals-of-applications',
  up(dialect) {
    const text = dialect === 'postgres' ? 'text COLLATE "C"' : 'text';
    return [
      'ALTER TABLE clients ADD COLUMN approved_at bigint',
      // NULL: the member allowed it before this migration.
      `ALTER TABLE grants ADD COLUMN client_name ${text}`,
    ];
  },
};
