// Writes to a database file, again and again: `node endless-writes.ts PATH`. The test kills it.

import { digestOf } from '../../src/lib/secrets.ts';
import { openSqlite } from '../../src/storage/engine/sqlite.ts';
import { identityStore } from '../../src/storage/identity/identity-store.ts';
import { oauthStore } from '../../src/storage/oauth/oauth-store.ts';
import { asMember } from '../storage/doers.ts';
import { NOON, newPersonalToken, newSession, SESSION_START } from '../storage/records.ts';

const database = openSqlite(process.argv[2] ?? '');
const identity = identityStore(database);
const oauth = oauthStore(database);
process.stdout.write('ready\n');

// At most a minute, so that a test that fails leaves nothing running.
const until = Date.now() + 60_000;
while (Date.now() < until) {
  await Promise.all([
    oauth.addPersonalToken(asMember(1), newPersonalToken(1), 1_000_000),
    identity.addSession(newSession(1), SESSION_START),
    identity.addMailWithin(
      { subject: digestOf(String(Math.random())), most: 1, now: NOON, closesAt: NOON + 1 },
      { purpose: 'reset', userId: 1, email: 'a@x.example', language: 'en', createdAt: NOON },
      { event: 'password_reset_asked', at: NOON, userId: 1, address: undefined },
    ),
  ]);
}
