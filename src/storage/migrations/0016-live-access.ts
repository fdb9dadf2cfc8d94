// Indexes of what is still live, so that ending a member's access doesn't visit what has ended already.

import type { Migration } from './migration.ts';

export const liveAccess: Migration = {
  name: '0016-live-access',
  up() {
    return [
      `CREATE INDEX authorization_codes_live ON authorization_codes (user_id, client_id, key)
        WHERE redeemed_at IS NULL AND voided_at IS NULL`,
      'DROP INDEX authorization_codes_of_grant',
      `CREATE INDEX token_families_live ON token_families (user_id, client_id, key) WHERE revoked_at IS NULL`,
      'DROP INDEX token_families_of_grant',
    ];
  },
};
