// Consents that are paused, or that have an end.

import type { Migration } from './migration.ts';

export const statesOfGrants: Migration = {
  name: '0024-states-of-grants',
  up(dialect) {
    return [
      // When the member last allowed it on the consent page. Of earlier answers, only the first is known.
      'ALTER TABLE grants ADD COLUMN consented_at bigint NOT NULL DEFAULT 0',
      'UPDATE grants SET consented_at = granted_at',
      "ALTER TABLE grants ADD COLUMN duration text NOT NULL DEFAULT 'until_removed'",
      'ALTER TABLE grants ADD COLUMN ends_at bigint',
      'ALTER TABLE grants ADD COLUMN paused_at bigint',
      // A code has what the member chose, since a redemption doesn't read the consent.
      "ALTER TABLE authorization_codes ADD COLUMN duration text NOT NULL DEFAULT 'until_removed'",
      'ALTER TABLE authorization_codes ADD COLUMN grant_ends_at bigint',
      'ALTER TABLE authorization_codes ADD COLUMN paused_at bigint',
      'ALTER TABLE token_families ADD COLUMN paused_at bigint',
      ...(dialect === 'postgres' ? [] : [CHANGES_OF_FAMILIES]),
    ];
  },
};

// Refreshing changes none of these columns.
const CHANGES_OF_FAMILIES = `CREATE TRIGGER note_changed_families AFTER UPDATE OF paused_at, scopes, expires_at
  ON token_families
  WHEN OLD.paused_at IS NOT NEW.paused_at OR OLD.scopes <> NEW.scopes OR OLD.expires_at <> NEW.expires_at
  BEGIN INSERT INTO changes (kind, key)
    SELECT 'access_token', access_tokens.key FROM access_tokens WHERE family_key = NEW.key; END`;
