// Passkeys, as rows.

import type { Passkey, PasskeyReads, PasskeyUse, PasskeyWrites } from '../../identity/passkey-store.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { NO_ENTRY, ownAct } from '../audit/audit-trail.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';
import { endOtherSessionsOf } from './ended-sessions.ts';
import {
  deleteUselessCodes,
  effectsOf,
  factorEvent,
  newRecoveryCodes,
  signInEventsOf,
  THE_ACCOUNT,
  THE_ACCOUNT_OF_SESSION,
  updateHasFactor,
} from './factors.ts';
import { USER_COLUMNS, type UserRow, userOf } from './users.ts';

export function passkeyRows(database: Database): PasskeyReads & PasskeyWrites {
  const { dialect } = database;
  return {
    async passkeysOf(userId) {
      return database.rows(selectPasskeys({ userId }));
    },
    async findPasskey(credentialId) {
      const row = await database.first(selectPasskey({ credentialId }));
      return row && { passkey: passkeyOf(row), user: userOf(row) };
    },
    async addPasskey(by, passkey, most, { sessionKey: key, recoveryCodes }) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        turn: `passkeys ${userId}`,
        guard: insertPasskey[dialect]({ ...passkey, userId, sessionKey: key, most, at }),
        effects: [
          // Those that began with nothing but the password. A further factor ends none.
          ...endOtherSessionsOf(dialect, { userId, at, key, mayHaveFactor: 0, detail: 'factors_changed' }),
          updateHasFactor({ userId }),
          ...newRecoveryCodes(userId, recoveryCodes, at),
        ],
        events: [factorEvent(by, 'factor_added', 'passkey')],
      });
    },
    async renamePasskey(by, id, name) {
      return runGuarded(database, {
        audit: ownAct(by),
        guard: updateName({ id, userId: by.userId, name }),
      });
    },
    async removePasskey(by, id, key) {
      const { userId, at } = by;
      return runGuarded(database, {
        audit: ownAct(by),
        guard: deletePasskey[dialect]({ id, userId, sessionKey: key }),
        effects: [
          ...endOtherSessionsOf(dialect, { userId, at, key, mayHaveFactor: 1, detail: 'factors_changed' }),
          updateHasFactor({ userId }),
          deleteUselessCodes({ userId }),
        ],
        events: [factorEvent(by, 'factor_removed', 'passkey')],
      });
    },
    async usePasskey(use, effect) {
      return runGuarded(database, {
        audit: NO_ENTRY,
        guard: updateCounter[dialect](use),
        effects: effectsOf(use.userId, effect),
        events: signInEventsOf(effect),
      });
    },
  };
}

const COLUMNS = fragment`
  passkeys.id, passkeys.user_id AS "userId", passkeys.credential_id AS "credentialId",
  passkeys.public_key AS "publicKey", passkeys.counter, passkeys.transports, passkeys.name,
  passkeys.created_at AS "createdAt", passkeys.last_used_at AS "lastUsedAt"`;

const selectPasskeys = sql<{ userId: number }, Passkey>`
  SELECT ${COLUMNS} FROM passkeys WHERE user_id = :userId ORDER BY id`;

const selectPasskey = sql<{ credentialId: string }, Passkey & UserRow>`
  SELECT ${COLUMNS}, ${USER_COLUMNS}
  FROM passkeys JOIN users ON users.id = passkeys.user_id
  WHERE passkeys.credential_id = :credentialId`;

interface PasskeyValues {
  userId: number;
  sessionKey: string;
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string;
  name: string;
  most: number;
  at: Timestamp;
}

const INSERT_PASSKEY = fragment`
  INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_at)
  SELECT users.id, :credentialId, :publicKey, :counter, :transports, :name, :at
  FROM users
  WHERE (SELECT count(*) FROM passkeys WHERE passkeys.user_id = :userId) < :most AND users.id =`;

const insertPasskey = {
  sqlite: sql<PasskeyValues>`${INSERT_PASSKEY} ${THE_ACCOUNT_OF_SESSION.sqlite} ON CONFLICT DO NOTHING`,
  postgres: sql<PasskeyValues>`${INSERT_PASSKEY} ${THE_ACCOUNT_OF_SESSION.postgres} ON CONFLICT DO NOTHING`,
};

const updateName = sql<{ id: number; userId: number; name: string }>`
  UPDATE passkeys SET name = :name WHERE id = :id AND user_id = :userId`;

interface Deletion {
  id: number;
  userId: number;
  sessionKey: string;
}

const DELETE_PASSKEY = fragment`DELETE FROM passkeys WHERE id = :id AND user_id =`;

const deletePasskey = {
  sqlite: sql<Deletion>`${DELETE_PASSKEY} ${THE_ACCOUNT_OF_SESSION.sqlite}`,
  postgres: sql<Deletion>`${DELETE_PASSKEY} ${THE_ACCOUNT_OF_SESSION.postgres}`,
};

// A copy of the device would repeat a number. Devices that don't count always say 0.
const UPDATE_COUNTER = fragment`
  UPDATE passkeys SET counter = :counter, last_used_at = :at
  WHERE id = :id AND (counter < :counter OR (counter = 0 AND cast(:counter AS bigint) = 0)) AND user_id =`;

const updateCounter = {
  sqlite: sql<PasskeyUse>`${UPDATE_COUNTER} ${THE_ACCOUNT.sqlite}`,
  postgres: sql<PasskeyUse>`${UPDATE_COUNTER} ${THE_ACCOUNT.postgres}`,
};

// Property by property, because the row has the member's columns too.
function passkeyOf(row: Passkey): Passkey {
  const { id, userId, credentialId, publicKey, counter, transports, name, createdAt, lastUsedAt } = row;
  return { id, userId, credentialId, publicKey, counter, transports, name, createdAt, lastUsedAt };
}
