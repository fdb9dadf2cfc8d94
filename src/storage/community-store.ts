// The hatch of the community's room, in SQL, put together from its tables.

import type { CommunityStore } from '../community/store.ts';
import { categoryRows } from './categories.ts';
import type { Database } from './database.ts';
import { postLists } from './post-lists.ts';
import { postRows } from './posts.ts';

export function communityStore(database: Database): CommunityStore {
  return {
    ...postRows(database),
    ...postLists(database),
    ...categoryRows(database),
  };
}
