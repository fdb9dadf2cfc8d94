// Erasing a member with everything that belongs to them, for the sandbox. In a community, accounts are never deleted:
// a closed account keeps its id and its name.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_ENTRY } from '../audit/audit-trail.ts';
import { deleteFollowers } from '../community/following.ts';
import { deletionOfPostTags, uncountingOfPostTags } from '../community/tags.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { Fragment, fragment, type Statement, sql } from '../engine/sql.ts';

/**
 * Delete an account, its posts, its applications, and every row about one of them. Its access tokens, which can be very
 * many, go first, in steps.
 */
export async function eraseMember(database: Database, userId: number): Promise<void> {
  const close = {
    audit: NO_ENTRY,
    // Caches learn of changed accounts and applications, and not of deleted ones.
    guard: closeAccount({ userId }),
  };
  await database.atomically({ ...close, effects: [deactivateClients({ userId })] });
  while (await runGuarded(database, { audit: NO_ENTRY, guard: deleteSomeTokens({ userId }) }))
    await nextTurn();
  await database.atomically({ ...close, effects: DELETIONS.map((statement) => statement({ userId })) });
}

interface OfUser {
  userId: number;
}

type Deletion = Statement<OfUser, never>;

const closeAccount = sql<OfUser>`UPDATE users SET status = 'closed' WHERE id = :userId`;

const deactivateClients = sql<OfUser>`UPDATE clients SET status = 'deactivated' WHERE owner_id = :userId`;

const OWN_CLIENTS = fragment`SELECT clients.id FROM clients WHERE clients.owner_id = :userId`;
const OF_MEMBER = fragment`user_id = :userId`;
const POSTS = fragment`SELECT posts.id FROM posts WHERE posts.user_id = :userId`;
const OF_CLIENTS = fragment`client_id IN (${OWN_CLIENTS})`;
const OF_BOTH = fragment`(${OF_MEMBER} OR ${OF_CLIENTS})`;

const TOKENS = fragment`
  family_key IN (SELECT token_families.key FROM token_families WHERE ${OF_BOTH})`;

const deleteSomeTokens = sql<OfUser>`
  DELETE FROM access_tokens
  WHERE key IN (SELECT access_tokens.key FROM access_tokens WHERE ${TOKENS} LIMIT 500)`;

// Rows that refer to others come first. The database deletes what hangs on posts and on applications alone.
const DELETIONS: readonly Deletion[] = [
  sql<OfUser>`DELETE FROM access_tokens WHERE ${TOKENS}`,
  ...deletions(OF_BOTH, [
    'token_families',
    'authorization_codes',
    'grants',
    'access_diary',
    'diary_hours',
    'application_events',
  ]),
  sql<OfUser>`DELETE FROM client_reports WHERE reporter_id = :userId OR ${OF_CLIENTS}`,
  sql<OfUser>`DELETE FROM security_events WHERE ${OF_BOTH}`,
  ...deletions(OF_CLIENTS, [
    'client_hours',
    'client_uses',
    'client_looks',
    'client_logos',
    'event_endpoints',
  ]),
  sql<OfUser>`
    DELETE FROM audit_events
    WHERE actor_id = :userId OR (subject_kind = 'user'
        AND subject_id = (SELECT cast(users.id AS text) FROM users WHERE users.id = :userId))
      OR (subject_kind = 'client' AND subject_id IN (${OWN_CLIENTS}))`,
  sql<OfUser>`UPDATE clients SET transfer_to = NULL, transfer_until = NULL WHERE transfer_to = :userId`,
  sql<OfUser>`DELETE FROM clients WHERE owner_id = :userId`,
  sql<OfUser>`DELETE FROM notifications WHERE user_id = :userId OR actor_id = :userId`,
  sql<OfUser>`DELETE FROM reports WHERE reporter_id = :userId`,
  sql<OfUser>`DELETE FROM post_words WHERE post_id IN (${POSTS})`,
  sql<OfUser>`${uncountingOfPostTags(POSTS)}`,
  sql<OfUser>`${deletionOfPostTags(POSTS)}`,
  deleteFollowers,
  ...deletions(OF_MEMBER, [
    'likes',
    'bookmarks',
    'member_follows',
    'tag_follows',
    'comments',
    'posts',
    'pictures',
    'avatars',
    'drawings',
    'mails',
    'mail_choices',
    'closing_accounts',
    'mail_tokens',
    'earlier_usernames',
    'personal_tokens',
    'authenticator_apps',
    'recovery_codes',
    'passkeys',
    'factor_resets',
    'sessions',
  ]),
  sql<OfUser>`DELETE FROM users WHERE id = :userId`,
];

function deletions(condition: Fragment, tables: readonly string[]): Deletion[] {
  return tables.map((table) => sql<OfUser>`DELETE FROM ${new Fragment(table)} WHERE ${condition}`);
}
