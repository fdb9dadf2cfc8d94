// The posts and comments of a closed account are removed in small steps, and hidden meanwhile.

import type { Migration } from './migration.ts';

export const accountsClosedInSteps: Migration = {
  name: '0070-accounts-closed-in-steps',
  up(dialect) {
    return [
      // Closed accounts with posts or comments that are not removed yet.
      `CREATE TABLE closing_accounts (
        user_id bigint PRIMARY KEY REFERENCES users (id),
        at bigint NOT NULL,
        -- The operator who closed it. Null: the member, or the command line.
        operator_id bigint REFERENCES users (id),
        -- The comments of the last step have ids above the first and up to the second.
        comments_from bigint NOT NULL DEFAULT 0,
        comments_through bigint NOT NULL DEFAULT 0
      )`,
      // The lists in memory have posts of the account.
      ...(dialect === 'sqlite'
        ? [
            `CREATE TRIGGER note_closed_authors AFTER UPDATE OF status ON users
              WHEN NEW.status = 'closed' AND OLD.status <> 'closed'
              BEGIN INSERT INTO changes (kind, key) SELECT 'posts', NEW.id; END`,
          ]
        : []),
    ];
  },
};
