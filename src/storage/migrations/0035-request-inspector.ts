// The requests of applications, for their developers: one row for the equal requests of a minute.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { text: 'text', clustered: ' WITHOUT ROWID' },
  postgres: { text: 'text COLLATE "C"', clustered: '' },
};

export const requestInspector: Migration = {
  name: '0035-request-inspector',
  up(dialect) {
    const { text, clustered } = words[dialect];
    return [
      `CREATE TABLE request_lines (
        client_id ${text} NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
        minute bigint NOT NULL,
        id ${text} NOT NULL,
        kind ${text} NOT NULL,
        facts text NOT NULL,
        network ${text} NOT NULL,
        program ${text} NOT NULL,
        requests bigint NOT NULL,
        first_at bigint NOT NULL,
        last_at bigint NOT NULL,
        PRIMARY KEY (client_id, minute, id)
      )${clustered}`,
      'CREATE INDEX request_lines_minute ON request_lines (minute)',
    ];
  },
};
