// The old addresses that an import adds. An address that is there already keeps its target.

import type { ImportWrites } from '../../import/store.ts';
import { OF_IMPORT } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

type ImportedAddresses = Pick<ImportWrites, 'addOldAddresses' | 'addOldAddressesOfCategories'>;

export function importedAddresses(database: Database): ImportedAddresses {
  const { dialect } = database;
  return {
    async addOldAddresses(source, kind, addresses) {
      const guard = insertAddresses[dialect]({ source, kind, addresses: JSON.stringify(addresses) });
      await database.atomically({ audit: OF_IMPORT, guard });
    },
    async addOldAddressesOfCategories(addresses) {
      const guard = insertAddressesOfCategories[dialect]({ addresses: JSON.stringify(addresses) });
      await database.atomically({ audit: OF_IMPORT, guard });
    },
  };
}

interface Addresses {
  source: string;
  kind: string;
  /** JSON. */
  addresses: string;
}

const INSERT = fragment`INSERT INTO old_addresses (address, kind, local_id)`;

const SELECT_OF_RECORDS = fragment`
  SELECT pair.value ->> 'address', imported_records.kind, imported_records.local_id`;

// SQLite keeps the order of a cross join: it finds each record by its key, and doesn't read all records of the source.
const OF_RECORDS = fragment`
  CROSS JOIN imported_records
  WHERE imported_records.source = :source AND imported_records.kind = :kind
    AND imported_records.external_id = pair.value ->> 'externalId'
  ON CONFLICT DO NOTHING`;

const insertAddresses = {
  sqlite: sql<Addresses>`
    ${INSERT} ${SELECT_OF_RECORDS} FROM json_each(:addresses) AS pair ${OF_RECORDS}`,
  postgres: sql<Addresses>`
    ${INSERT} ${SELECT_OF_RECORDS} FROM json_array_elements(cast(:addresses AS json)) AS pair (value) ${OF_RECORDS}`,
};

const OF_CATEGORIES = fragment`
  JOIN categories ON categories.id = cast(pair.value ->> 'categoryId' AS bigint) WHERE true
  ON CONFLICT DO NOTHING`;

const SELECT_OF_CATEGORIES = fragment`SELECT pair.value ->> 'address', 'category', categories.id`;

const insertAddressesOfCategories = {
  sqlite: sql<{ addresses: string }>`
    ${INSERT} ${SELECT_OF_CATEGORIES} FROM json_each(:addresses) AS pair ${OF_CATEGORIES}`,
  postgres: sql<{ addresses: string }>`
    ${INSERT} ${SELECT_OF_CATEGORIES} FROM json_array_elements(cast(:addresses AS json)) AS pair (value)
    ${OF_CATEGORIES}`,
};
