// The browsers that members are signed in with, what a mail about the security of an account is about, and the age of
// recovery codes.

import type { Migration } from './migration.ts';

export const browsers: Migration = {
  name: '0031-browsers',
  up() {
    return [
      // Empty: unknown.
      "ALTER TABLE sessions ADD COLUMN program text NOT NULL DEFAULT ''",
      // The networks of the sign-in and of the last visit.
      'ALTER TABLE sessions ADD COLUMN network text',
      'ALTER TABLE sessions ADD COLUMN last_network text',
      // What the link is about: JSON.
      "ALTER TABLE mail_tokens ADD COLUMN about text NOT NULL DEFAULT '{}'",
      // When they were made, so that those of a stranger can be told from the member's.
      'ALTER TABLE recovery_codes ADD COLUMN created_at bigint NOT NULL DEFAULT 0',
      // The same index, with the new event.
      'DROP INDEX security_events_of_sessions',
      `CREATE INDEX security_events_of_sessions ON security_events (user_id, id)
        WHERE event IN ('signed_in', 'new_browser', 'signed_out', 'session_ended')`,
    ];
  },
};
