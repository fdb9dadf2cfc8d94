// Indexes that find certain security events of a member, however many others the member has.

import type { Migration } from './migration.ts';

export const eventsOfMembers: Migration = {
  name: '0030-events-of-members',
  up() {
    return [
      `CREATE INDEX security_events_of_code ON security_events (subject, at) WHERE event = 'code_replayed'`,
      `CREATE INDEX security_events_of_sessions ON security_events (user_id, id)
        WHERE event IN ('signed_in', 'signed_out', 'session_ended')`,
    ];
  },
};
