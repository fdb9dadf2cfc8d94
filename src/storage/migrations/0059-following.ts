// The members and tags that a member follows.

import type { Migration } from './migration.ts';

export const following: Migration = {
  name: '0059-following',
  up(dialect) {
    const clustered = dialect === 'sqlite' ? ' WITHOUT ROWID' : '';
    return [
      `CREATE TABLE member_follows (
        user_id bigint NOT NULL REFERENCES users (id),
        member_id bigint NOT NULL REFERENCES users (id),
        created_at bigint NOT NULL,
        PRIMARY KEY (user_id, member_id)
      )${clustered}`,
      'CREATE INDEX member_follows_of_member ON member_follows (member_id)',
      `CREATE TABLE tag_follows (
        user_id bigint NOT NULL REFERENCES users (id),
        tag_id bigint NOT NULL REFERENCES tags (id),
        created_at bigint NOT NULL,
        PRIMARY KEY (user_id, tag_id)
      )${clustered}`,
      'CREATE INDEX tag_follows_of_tag ON tag_follows (tag_id)',
    ];
  },
};
