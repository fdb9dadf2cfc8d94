// An index that finds the mails somebody waits for.

import type { Migration } from './migration.ts';

export const mailsAndTokens: Migration = {
  name: '0038-mails-and-tokens',
  up() {
    return [
      `CREATE INDEX mails_with_links ON mails (next_attempt_at)
        WHERE purpose IN ('confirm', 'reset', 'email_changed', 'email_removed', 'factor_reset_asked')`,
    ];
  },
};
