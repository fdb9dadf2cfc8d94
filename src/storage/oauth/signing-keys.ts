// Signing keys, as rows. The database contains the private parts too, so that all machines sign with the same
// keys. Only the owner of the database file can read it.

import type { Timestamp } from '../../lib/clock.ts';
import type { SigningAlgorithm } from '../../oauth/signing-algorithm.ts';
import type { SigningKey, SigningKeyReads, SigningKeyWrites } from '../../oauth/signing-key-store.ts';
import { entry, NO_PERSON } from '../audit/audit-trail.ts';
import type { Database } from '../engine/database.ts';
import { fragment, sql } from '../engine/sql.ts';

export function signingKeyRows(database: Database): SigningKeyReads & SigningKeyWrites {
  return {
    async signingKeys() {
      return (await database.rows(selectKeys())).map(keyOf);
    },
    async activeSigningKey(alg) {
      const row = await database.first(selectActiveKey({ alg }));
      return row && keyOf(row);
    },
    async hadSigningKeys() {
      return ((await database.first(selectLock()))?.taken ?? 0) > 0;
    },
    async addFirstSigningKeys(keys) {
      const outcome = await database.atomically({
        audit: NO_PERSON,
        guard: takeLock(),
        effects: keys.map((key) => insertKey(keyRow(key))),
      });
      return outcome.happened;
    },
    async rotateSigningKey(by, { activeKid, nextKid, following }) {
      const outcome = await database.atomically({
        audit: entry(by, { action: 'keys.rotate', subject: { kind: 'key', id: nextKid } }),
        guard: retireKey({ kid: activeKid, at: by.at }),
        effects: [activateKey({ kid: nextKid, at: by.at }), insertKey(keyRow(following))],
      });
      return outcome.happened;
    },
    async deleteSigningKeysRetiredBefore(moment) {
      await database.atomically({ audit: NO_PERSON, guard: deleteRetiredKeys({ moment }) });
    },
  };
}

interface KeyRow {
  kid: string;
  alg: SigningAlgorithm;
  state: SigningKey['state'];
  public_jwk: string;
  private_jwk: string;
  created_at: Timestamp;
  activated_at: Timestamp | null;
  retired_at: Timestamp | null;
}

const KEY_COLUMNS = fragment`kid, alg, state, public_jwk, private_jwk, created_at, activated_at, retired_at`;

const selectKeys = sql<void, KeyRow>`
  SELECT ${KEY_COLUMNS} FROM signing_keys ORDER BY created_at DESC`;

const selectActiveKey = sql<{ alg: SigningAlgorithm }, KeyRow>`
  SELECT ${KEY_COLUMNS} FROM signing_keys WHERE alg = :alg AND state = 'active'`;

const selectLock = sql<void, { taken: number }>`
  SELECT taken FROM locks WHERE name = 'signing-keys'`;

// The lock is never released: once it is taken, the database has had keys.
const takeLock = sql<void>`
  UPDATE locks SET taken = 1 WHERE name = 'signing-keys' AND taken = 0`;

const insertKey = sql<KeyRow>`
  INSERT INTO signing_keys (${KEY_COLUMNS})
  VALUES (:kid, :alg, :state, :public_jwk, :private_jwk, :created_at, :activated_at, :retired_at)`;

const retireKey = sql<{ kid: string; at: Timestamp }>`
  UPDATE signing_keys SET state = 'retired', retired_at = :at
  WHERE kid = :kid AND state = 'active'`;

const activateKey = sql<{ kid: string; at: Timestamp }>`
  UPDATE signing_keys SET state = 'active', activated_at = :at
  WHERE kid = :kid AND state = 'next'`;

const deleteRetiredKeys = sql<{ moment: Timestamp }>`
  DELETE FROM signing_keys WHERE state = 'retired' AND retired_at < :moment`;

function keyRow(key: SigningKey): KeyRow {
  return {
    kid: key.kid,
    alg: key.alg,
    state: key.state,
    public_jwk: JSON.stringify(key.publicJwk),
    private_jwk: JSON.stringify(key.privateJwk),
    created_at: key.createdAt,
    activated_at: key.activatedAt ?? null,
    retired_at: key.retiredAt ?? null,
  };
}

function keyOf(row: KeyRow): SigningKey {
  return {
    kid: row.kid,
    alg: row.alg,
    state: row.state,
    publicJwk: JSON.parse(row.public_jwk),
    privateJwk: JSON.parse(row.private_jwk),
    createdAt: row.created_at,
    activatedAt: row.activated_at ?? undefined,
    retiredAt: row.retired_at ?? undefined,
  };
}
