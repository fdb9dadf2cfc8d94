// SQLite keeps the promises of storage with a cache, too.

import { openSqlite } from '../../../src/storage/engine/sqlite.ts';
import type { TestScope } from '../../support/databases.ts';
import { storageContract } from '../contract.ts';
import { cachedStoresOf } from './cached-fixture.ts';

storageContract('SQLite with a cache', async (scope: TestScope) => {
  const database = openSqlite(':memory:');
  scope.after(() => database.close());
  await database.migrate();
  return cachedStoresOf(database);
});
