// The events of one endpoint, those that were given up too, are counted and deleted without reading all others.

import type { Migration } from './migration.ts';

export const eventsOfEndpoints: Migration = {
  name: '0050-events-of-endpoints',
  up: () => [
    'CREATE INDEX application_events_of_endpoint ON application_events (client_id, kind, given_up_at)',
  ],
};
