// An index that finds the last event of a code that was used again, however many events its member has.

import type { Migration } from './migration.ts';

export const replayedCodes: Migration = {
  name: '0030-replayed-codes',
  up() {
    return [
      `CREATE INDEX security_events_of_code ON security_events (subject, at) WHERE event = 'code_replayed'`,
    ];
  },
};
