// Operators read the lists of members by the day they joined, which isn't the order of the ids after an import.

import type { Migration } from './migration.ts';

export const membersByAge: Migration = {
  name: '0047-members-by-age',
  up() {
    return [
      'CREATE INDEX users_by_age ON users (created_at, id)',
      'DROP INDEX users_not_active',
      "CREATE INDEX users_not_active ON users (status, created_at, id) WHERE status <> 'active'",
      'DROP INDEX users_operators',
      'CREATE INDEX users_operators ON users (created_at, id) WHERE is_operator = 1',
      'DROP INDEX users_moderators',
      'CREATE INDEX users_moderators ON users (created_at, id) WHERE is_moderator = 1',
      'DROP INDEX users_with_membership',
      'CREATE INDEX users_with_membership ON users (created_at, id) WHERE member_until IS NOT NULL',
    ];
  },
};
