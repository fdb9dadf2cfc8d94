// Lets the embedded database itself say which of the kept records no longer hold: triggers of this connection, which
// no statement can forget, for its own writes. Of other processes' writes it knows only that there were some.

import type { DatabaseSync } from 'node:sqlite';
import type { Kind, Memory } from './recollection.ts';
import { JOINED_USER } from './users.ts';

/** Forgets, from now on, what this connection changes. The tables must be there. */
export function watchWrites(connection: DatabaseSync, memory: Memory): void {
  connection.function('forget', (kind, key) => {
    memory.forget(kind as Kind, key as string | number);
    return null;
  });
  connection.function('forget_posts', (userId) => {
    memory.forget('posts', userId as number);
    memory.forgetKind('newest');
    return null;
  });
  connection.function('forget_all', () => {
    memory.forgetAll();
    return null;
  });
  for (const [name, { on, forget }] of Object.entries(WATCHED)) {
    connection.exec(
      `CREATE TEMP TRIGGER IF NOT EXISTS watch_${name} AFTER ${on} BEGIN SELECT ${forget}; END`,
    );
  }
}

// Locking an account's row writes what stands there already: that is no change.
const USER_CHANGED = JOINED_USER.map((column) => column.replace(/^users\.(\w+).*$/, '$1'))
  .filter((column) => column !== 'id')
  .map((column) => `OLD.${column} IS NOT NEW.${column}`)
  .join(' OR ');

const WATCHED: Record<string, { on: string; forget: string }> = {
  access_tokens: { on: 'UPDATE ON main.access_tokens', forget: "forget('access_token', OLD.key)" },
  dead_access_tokens: { on: 'DELETE ON main.access_tokens', forget: "forget('access_token', OLD.key)" },
  token_families: {
    on: 'UPDATE OF revoked_at ON main.token_families',
    forget: "forget('access_token', key) FROM access_tokens WHERE family_key = NEW.key",
  },
  personal_tokens: { on: 'UPDATE ON main.personal_tokens', forget: "forget('personal_token', OLD.key)" },
  dead_personal_tokens: { on: 'DELETE ON main.personal_tokens', forget: "forget('personal_token', OLD.key)" },
  users: { on: `UPDATE ON main.users WHEN ${USER_CHANGED}`, forget: "forget('user', NEW.id)" },
  // Seldom, and each concerns very many.
  clients: { on: 'UPDATE ON main.clients', forget: 'forget_all()' },
  signing_keys: { on: 'UPDATE ON main.signing_keys', forget: 'forget_all()' },
  dead_signing_keys: { on: 'DELETE ON main.signing_keys', forget: 'forget_all()' },
  categories: { on: 'UPDATE ON main.categories', forget: 'forget_all()' },
  usernames: { on: 'UPDATE ON main.users WHEN OLD.username IS NOT NEW.username', forget: 'forget_all()' },
  new_posts: { on: 'INSERT ON main.posts', forget: 'forget_posts(NEW.user_id)' },
  posts: { on: 'UPDATE ON main.posts', forget: 'forget_posts(OLD.user_id)' },
  dead_posts: { on: 'DELETE ON main.posts', forget: 'forget_posts(OLD.user_id)' },
};
