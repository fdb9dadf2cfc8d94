// The addresses that imported contents had at their source.

import type { OldAddressReads, OldAddressTarget } from '../../community/old-address.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function oldAddressRows(database: Database): OldAddressReads {
  return {
    async findOldAddress(address) {
      return database.first(selectAddress({ address }));
    },
    async oldAddresses(after, limit) {
      return database.rows(selectAddresses({ after, limit }));
    },
  };
}

// Only what every visitor can read has a page.
const TARGETS = fragment`
  SELECT old.address, posts.id AS "postId", comments.id AS "commentId", users.username,
    categories.slug AS "categorySlug"
  FROM old_addresses AS old
  LEFT JOIN posts ON old.kind = 'post' AND posts.id = old.local_id AND posts.status = 'published'
  LEFT JOIN comments ON old.kind = 'comment' AND comments.id = old.local_id AND comments.status = 'published'
  LEFT JOIN users ON old.kind = 'member' AND users.id = old.local_id AND users.status <> 'closed'
  LEFT JOIN categories ON old.kind = 'category' AND categories.id = old.local_id`;

const selectAddress = sql<{ address: string }, OldAddressTarget>`
  ${TARGETS} WHERE old.address = :address`;

const selectAddresses = sql<{ after: string; limit: number }, OldAddressTarget>`
  ${TARGETS} WHERE old.address > :after ORDER BY old.address LIMIT cast(:limit AS bigint)`;

/** For closing an account: an old name of a person is about the person. */
export const deleteAddressesOfMember = sql<{ userId: number }>`
  DELETE FROM old_addresses WHERE kind = 'member' AND local_id = :userId`;
