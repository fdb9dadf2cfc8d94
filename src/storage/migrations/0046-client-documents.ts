// Applications that describe themselves in a document on their own site.

import type { Migration } from './migration.ts';

const words = {
  sqlite: { text: 'text' },
  postgres: { text: 'text COLLATE "C"' },
};

export const clientDocuments: Migration = {
  name: '0046-client-documents',
  up(dialect) {
    return [
      // The address of the document, which is the client_id that the application sends.
      `ALTER TABLE clients ADD COLUMN document_url ${words[dialect].text}`,
      'ALTER TABLE clients ADD COLUMN document_fresh_until bigint',
      // The name in the document. The column `name` has the host of its address.
      'ALTER TABLE clients ADD COLUMN claimed_name text',
      `CREATE UNIQUE INDEX clients_by_document ON clients (document_url)
        WHERE document_url IS NOT NULL`,
      ...(dialect === 'postgres' ? [] : [NOTE_DELETED]),
    ];
  },
};

// Until now, no application was deleted that a cache could have.
const NOTE_DELETED = `CREATE TRIGGER note_deleted_clients AFTER DELETE ON clients
  BEGIN INSERT INTO changes (kind, key) SELECT 'client', OLD.id; END`;
