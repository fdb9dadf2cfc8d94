// Logs the security events of each transaction after its commit. A decorator of the database: stores that are
// opened on it work the same.

import type { SecurityEvent } from '../../audit/security-event.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../engine/database.ts';

/** The level of an event's line. */
type LevelOf = (event: SecurityEvent['event']) => 'info' | 'warn';

/** Log the events of all transactions on this database. The lines have the fields of the rows. */
export function withEventLog(database: Database, log: Log, levelOf: LevelOf): Database {
  return {
    dialect: database.dialect,
    rows: (query) => database.rows(query),
    rowsWithin: (patienceMs, query) => database.rowsWithin(patienceMs, query),
    first: (query) => database.first(query),
    async atomically(transaction) {
      const outcome = await database.atomically(transaction);
      for (const event of outcome.events as readonly SecurityEvent[]) logEvent(log, levelOf, event);
      return outcome;
    },
    isMigrated: () => database.isMigrated(),
    migrate: () => database.migrate(),
    close: () => database.close(),
  };
}

// The names are fixed, so that a search or an alarm finds them. `at` is left out: the line has the time.
function logEvent(log: Log, levelOf: LevelOf, row: SecurityEvent): void {
  const { id, event, userId, clientId, address, by, detail, subject } = row;
  log[levelOf(event)]({ event, id, userId, clientId, address, by, detail, subject }, 'security event');
}
