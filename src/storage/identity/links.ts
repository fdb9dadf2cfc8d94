// Members' links: a column of their accounts, with one address on each line.

import type { LinkReads, LinkWrites } from '../../identity/link-store.ts';
import { ownAct } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { sql } from '../engine/sql.ts';

export function linkRows(database: Database): LinkReads & LinkWrites {
  return {
    async linksOf(userId) {
      const row = await database.first(selectLinks({ userId }));
      return row?.links.split('\n').filter((link) => link !== '') ?? [];
    },
    async setLinks(by, links) {
      const { userId } = by;
      await database.atomically({
        audit: ownAct(by),
        guard: updateLinks({ userId, links: links.join('\n') }),
      });
    },
  };
}

const selectLinks = sql<{ userId: number }, { links: string }>`
  SELECT links FROM users WHERE id = :userId`;

const updateLinks = sql<{ userId: number; links: string }>`
  UPDATE users SET links = :links WHERE id = :userId AND status = 'active'`;
