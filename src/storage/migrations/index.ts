// The migrations in their order. One that has been released is never edited: add the next.

import type { Dialect } from '../engine/sql.ts';
import { first } from './0001-first.ts';
import { openid } from './0002-openid.ts';
import { changes } from './0003-changes.ts';
import { community } from './0004-community.ts';

export interface Migration {
  name: string;
  up(dialect: Dialect): string[];
}

export const migrations: readonly Migration[] = [first, openid, changes, community];
