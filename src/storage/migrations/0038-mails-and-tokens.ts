// An index that finds the mails somebody waits for, and the token that each API token replaced.

import type { Migration } from './migration.ts';

export const mailsAndTokens: Migration = {
  name: '0038-mails-and-tokens',
  up() {
    return [
      `CREATE INDEX mails_with_links ON mails (next_attempt_at)
        WHERE purpose IN ('confirm', 'reset', 'email_changed', 'email_removed', 'factor_reset_asked')`,
      // The id of the earlier token, which may be gone.
      'ALTER TABLE personal_tokens ADD COLUMN replaces bigint',
      `CREATE INDEX personal_tokens_replaced ON personal_tokens (expires_at)
        WHERE replaced_at IS NOT NULL AND expires_at IS NOT NULL`,
      'CREATE INDEX personal_tokens_listed ON personal_tokens (user_id) WHERE revoked_at IS NULL',
    ];
  },
};
