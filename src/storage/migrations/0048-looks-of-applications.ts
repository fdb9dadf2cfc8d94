// What applications look like, so that a consent page finds the ones that an application could imitate; and the
// sign-ins with OpenID Connect, so that a sign-out finds those of its member.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { text: 'text', clustered: ' WITHOUT ROWID' },
  postgres: { text: 'text COLLATE "C"', clustered: '' },
};

export const looksOfApplications: Migration = {
  name: '0048-looks-of-applications',
  up(dialect) {
    const { text, clustered } = words[dialect];
    return [
      `CREATE TABLE client_looks (
        look ${text} NOT NULL,
        client_id ${text} NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
        host ${text} NOT NULL,
        PRIMARY KEY (look, client_id, host)
      )${clustered}`,
      'CREATE INDEX client_looks_by_client ON client_looks (client_id)',
      // The version of the rule that made them. 0: they are to be made, or made again.
      'ALTER TABLE clients ADD COLUMN looks_version bigint NOT NULL DEFAULT 0',
      'CREATE INDEX clients_by_looks_version ON clients (looks_version, id)',
      `CREATE INDEX token_families_with_openid ON token_families (user_id, client_id, authenticated_at)
        WHERE ' ' || scopes || ' ' LIKE '% openid %'`,
    ];
  },
};
