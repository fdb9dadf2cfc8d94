// A database from before posts and comments could wait for approval.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { communityStore } from '../../src/storage/community/community-store.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import type { Dialect } from '../../src/storage/engine/sql.ts';
import { earlier, postgresWith, skip, sqliteWith } from './earlier-databases.ts';

/** As `earlier`, with a removed comment and a notification with a reason. */
function beforeApproval(dialect: Dialect): string[] {
  return [
    ...earlier(dialect, '0021-approval'),
    `INSERT INTO comments (post_id, user_id, status, body, created_at, removed_at)
      VALUES (1, 1, 'removed', 'Gone.', 0, 1)`,
    `INSERT INTO notifications (user_id, kind, post_id, reason, is_undone, created_at)
      VALUES (1, 'removal', 1, 'Rude.', 0, 0)`,
  ];
}

async function checkApproval(database: Database): Promise<void> {
  await database.migrate();

  const community = communityStore(database);
  const by = { kind: 'member', userId: 1, at: 5 } as const;
  const comments = await community.ownComments(1, 0, 10);
  assert.deepEqual(
    comments.map(({ status }) => status),
    ['published', 'removed'],
  );
  const [notification] = await community.notificationsOf(1, 10, 10);
  assert.deepEqual([notification?.kind, notification?.reason], ['removal', 'Rude.']);
  assert.deepEqual(await community.waitingTexts(10), []);
  const waiting = { postId: 1, replyTo: undefined, body: 'New.', xp: 0, weight: 1, isWaiting: true };
  assert.equal(await community.addComment(by, waiting), 3);
  assert.equal((await community.waitingTexts(10))[0]?.body, 'New.');
}

test('0021: comments and notifications stay as they are, and new comments can wait, on SQLite', async (t) => {
  await checkApproval(await sqliteWith(t, beforeApproval('sqlite')));
});

test('0021: the same on PostgreSQL', { skip }, async (t) => {
  await checkApproval(await postgresWith(t, beforeApproval('postgres')));
});
