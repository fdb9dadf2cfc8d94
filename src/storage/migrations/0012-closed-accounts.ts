// Closed accounts lose their password and their tokens, as they do now when they are closed. API tokens that
// expired are deleted in the order of an index.

import type { Migration } from './migration.ts';

const NOW = {
  sqlite: "cast(unixepoch('subsec') * 1000 AS integer)",
  postgres: 'cast(extract(epoch FROM now()) * 1000 AS bigint)',
};

const CLOSED = "(SELECT id FROM users WHERE status = 'closed')";

export const closedAccounts: Migration = {
  name: '0012-closed-accounts',
  up(dialect) {
    const revoked = `revoked_at = ${NOW[dialect]} WHERE revoked_at IS NULL AND user_id IN ${CLOSED}`;
    return [
      `UPDATE users SET password_hash = '$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}'
        WHERE status = 'closed'`,
      `UPDATE personal_tokens SET ${revoked}`,
      `UPDATE token_families SET ${revoked}`,
      'CREATE INDEX personal_tokens_by_expiry ON personal_tokens (expires_at) WHERE expires_at IS NOT NULL',
    ];
  },
};
