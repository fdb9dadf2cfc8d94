// Who made a link for a new password.

import type { Migration } from './migration.ts';

export const makersOfLinks: Migration = {
  name: '0076-makers-of-links',
  up() {
    return [
      // The operator who made the link for a member. Empty for a mailed link, and for one of the command line.
      'ALTER TABLE mail_tokens ADD COLUMN maker_id bigint',
      'CREATE INDEX mail_tokens_by_maker ON mail_tokens (maker_id) WHERE maker_id IS NOT NULL',
    ];
  },
};
