// An index that finds the events of one name of a member, however many others the member has.

import type { Migration } from './migration.ts';

export const namedEventsOfMembers: Migration = {
  name: '0039-named-events-of-members',
  up() {
    return ['CREATE INDEX security_events_of_user_named ON security_events (user_id, event, id)'];
  },
};
