// A change of a sign-in is noted once, not once for each of its access tokens, of which it can have very many.

import type { Migration } from './migration.ts';

export const changesOfFamilies: Migration = {
  name: '0036-changes-of-families',
  up(dialect) {
    if (dialect === 'postgres') return [];
    // Refreshing changes none of these columns.
    const columns = ['revoked_at', 'paused_at', 'scopes', 'expires_at'];
    return [
      'DROP TRIGGER note_token_families',
      'DROP TRIGGER note_changed_families',
      // A process of an earlier version doesn't know this kind, and clears its whole cache.
      `CREATE TRIGGER note_token_families AFTER UPDATE OF ${columns.join(', ')} ON token_families
        WHEN ${columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ')}
        BEGIN INSERT INTO changes (kind, key) VALUES ('token_family', NEW.key); END`,
    ];
  },
};
