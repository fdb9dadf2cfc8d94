// The numbers of applications, one row for each hour and each thing that is counted, and the last uses of callbacks and
// secrets, one row for each.

import type { Timestamp } from '../../lib/clock.ts';
import type {
  ClientHour,
  ClientNumbersReads,
  ClientNumbersWrites,
  ClientUse,
} from '../../oauth/client-numbers-store.ts';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function clientNumbers(database: Database): ClientNumbersReads & ClientNumbersWrites {
  return {
    async clientHours(clientId, since) {
      return database.rows(selectHours({ clientId, since }));
    },
    clientUses: async (clientId) => database.rows(selectUses({ clientId })),
    async countReplays(clientId, since) {
      return (await database.first(countReplays({ clientId, since })))?.count ?? 0;
    },
    async addClientHours(hours) {
      const lines = JSON.stringify(hours);
      await database.atomically({ audit: NO_ENTRY, guard: addHours[database.dialect]({ lines }) });
    },
    async setClientUses(uses) {
      const lines = JSON.stringify(uses);
      await database.atomically({ audit: NO_ENTRY, guard: upsertUses[database.dialect]({ lines }) });
    },
    async keepClientUses(clientId, names) {
      const guard = deleteOtherUses[database.dialect]({ clientId, names: JSON.stringify(names) });
      await database.atomically({ audit: NO_ENTRY, guard });
    },
  };
}

const addHours = {
  sqlite: sql<{ lines: string }>`
    INSERT INTO client_hours (client_id, hour, what, times)
    SELECT value ->> 'clientId', value ->> 'hour', value ->> 'what', value ->> 'times'
    FROM json_each(:lines) WHERE true
    ON CONFLICT (client_id, hour, what) DO UPDATE SET times = client_hours.times + excluded.times`,
  // In one order, so that two machines don't wait for each other.
  postgres: sql<{ lines: string }>`
    INSERT INTO client_hours (client_id, hour, what, times)
    SELECT line."clientId", line.hour, line.what, line.times
    FROM json_to_recordset(cast(:lines AS json)) AS line (
      "clientId" text, hour bigint, what text, times bigint)
    ORDER BY line."clientId", line.hour, line.what
    ON CONFLICT (client_id, hour, what) DO UPDATE SET times = client_hours.times + excluded.times`,
};

const selectHours = sql<{ clientId: string; since: Timestamp }, ClientHour>`
  SELECT client_id AS "clientId", hour, what, times FROM client_hours
  WHERE client_id = :clientId AND hour >= :since
  ORDER BY hour`;

const LATER_HOUR = fragment`
  ON CONFLICT (client_id, name) DO UPDATE SET last_hour = excluded.last_hour
  WHERE excluded.last_hour > client_uses.last_hour`;

const upsertUses = {
  sqlite: sql<{ lines: string }>`
    INSERT INTO client_uses (client_id, name, last_hour)
    SELECT value ->> 'clientId', value ->> 'name', value ->> 'lastHour'
    FROM json_each(:lines) WHERE true ${LATER_HOUR}`,
  postgres: sql<{ lines: string }>`
    INSERT INTO client_uses (client_id, name, last_hour)
    SELECT line."clientId", line.name, line."lastHour"
    FROM json_to_recordset(cast(:lines AS json)) AS line ("clientId" text, name text, "lastHour" bigint)
    ORDER BY line."clientId", line.name ${LATER_HOUR}`,
};

const deleteOtherUses = {
  sqlite: sql<{ clientId: string; names: string }>`
    DELETE FROM client_uses WHERE client_id = :clientId AND name NOT IN (SELECT value FROM json_each(:names))`,
  postgres: sql<{ clientId: string; names: string }>`
    DELETE FROM client_uses
    WHERE client_id = :clientId AND name NOT IN (SELECT json_array_elements_text(cast(:names AS json)))`,
};

const selectUses = sql<{ clientId: string }, ClientUse>`
  SELECT client_id AS "clientId", name, last_hour AS "lastHour" FROM client_uses WHERE client_id = :clientId`;

const countReplays = sql<{ clientId: string; since: Timestamp }, { count: number }>`
  SELECT count(*) AS count FROM security_events
  WHERE event = 'refresh_token_reused' AND client_id = :clientId AND at >= :since`;
