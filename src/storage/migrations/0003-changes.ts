// SQLite triggers record changes of the rows that processes cache, so that each process drops its old copy.
// They also record changes by the command line or by an SQL shell.

import type { Migration } from './migration.ts';

// Older changes are deleted. A process that has missed some of them clears its whole cache.
const MOST_CHANGES = 10_000;

const WATCHED: Record<string, { on: string; kind: string; key: string }> = {
  access_tokens: { on: 'UPDATE ON access_tokens', kind: 'access_token', key: 'OLD.key' },
  dead_access_tokens: { on: 'DELETE ON access_tokens', kind: 'access_token', key: 'OLD.key' },
  token_families: {
    on: 'UPDATE OF revoked_at ON token_families',
    kind: 'access_token',
    key: 'access_tokens.key FROM access_tokens WHERE family_key = NEW.key',
  },
  personal_tokens: { on: 'UPDATE ON personal_tokens', kind: 'personal_token', key: 'OLD.key' },
  dead_personal_tokens: { on: 'DELETE ON personal_tokens', kind: 'personal_token', key: 'OLD.key' },
  // A transaction locks an account by updating its row to the same values, which must not count as a change.
  users: {
    on: `UPDATE ON users WHEN ${[
      'username',
      'email',
      'bio',
      'status',
      'is_operator',
      'member_until',
      'xp',
      'created_at',
    ]
      .map((column) => `OLD.${column} IS NOT NEW.${column}`)
      .join(' OR ')}`,
    kind: 'user',
    key: 'NEW.id',
  },
  // These changes are rare and affect many cached rows, so the whole cache is cleared.
  clients: { on: 'UPDATE ON clients', kind: 'all', key: 'NULL' },
  signing_keys: { on: 'UPDATE ON signing_keys', kind: 'all', key: 'NULL' },
  dead_signing_keys: { on: 'DELETE ON signing_keys', kind: 'all', key: 'NULL' },
  categories: { on: 'UPDATE ON categories', kind: 'all', key: 'NULL' },
  usernames: { on: 'UPDATE ON users WHEN OLD.username IS NOT NEW.username', kind: 'all', key: 'NULL' },
  new_posts: { on: 'INSERT ON posts', kind: 'posts', key: 'NEW.user_id' },
  posts: { on: 'UPDATE ON posts', kind: 'posts', key: 'OLD.user_id' },
  dead_posts: { on: 'DELETE ON posts', kind: 'posts', key: 'OLD.user_id' },
};

export const changes: Migration = {
  name: '0003-changes',
  up(dialect) {
    if (dialect === 'postgres') return [];
    return [
      'CREATE TABLE changes (seq integer PRIMARY KEY, kind text NOT NULL, key)',
      // The first row, so that a process always has a last change to continue from.
      "INSERT INTO changes (kind, key) VALUES ('all', NULL)",
      ...Object.entries(WATCHED).map(
        ([name, { on, kind, key }]) =>
          `CREATE TRIGGER note_${name} AFTER ${on} BEGIN INSERT INTO changes (kind, key) SELECT '${kind}', ${key}; END`,
      ),
      `CREATE TRIGGER forget_changes AFTER INSERT ON changes WHEN NEW.seq % 1000 = 0
        BEGIN DELETE FROM changes WHERE seq <= NEW.seq - ${MOST_CHANGES}; END`,
    ];
  },
};
