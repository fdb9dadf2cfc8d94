// SQLite keeps the promises of storage with a cache, too.

import { openMemory, type TestScope } from '../../support/databases.ts';
import { storageContract } from '../contract.ts';
import { cachedStoresOf } from './cached-fixture.ts';

storageContract('SQLite with a cache', async (scope: TestScope) => {
  return cachedStoresOf(await openMemory(scope));
});
