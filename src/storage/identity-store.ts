// The hatch of the people's room, in SQL, put together from its tables.

import type { IdentityStore } from '../identity/store.ts';
import { attemptRows } from './attempts.ts';
import type { Database } from './database.ts';
import { sessionRows } from './sessions.ts';
import { userRows } from './users.ts';

export function identityStore(database: Database): IdentityStore {
  return {
    ...userRows(database),
    ...sessionRows(database),
    ...attemptRows(database),
  };
}
