// Signing keys, as rows. The database contains the private parts too, so that all machines sign with the same
// keys. Only the owner of the database file can read it.

import type { Doer } from '../../audit/doer.ts';
import type { Timestamp } from '../../lib/clock.ts';
import type { SigningAlgorithm } from '../../oauth/signing-algorithm.ts';
import type { SigningKey, SigningKeyReads, SigningKeyWrites } from '../../oauth/signing-key-store.ts';
import { entry, NO_ENTRY } from '../audit/audit-trail.ts';
import { securityEvent } from '../audit/security-events.ts';
import { type Database, runGuarded } from '../engine/database.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import type { Stored } from './stored.ts';

export function signingKeyRows(database: Database): SigningKeyReads & SigningKeyWrites {
  return {
    async signingKeys() {
      return (await database.rows(selectKeys())).map(keyOf).filter((key) => key !== undefined);
    },
    async activeSigningKey(alg) {
      const row = await database.first(selectActiveKey({ alg }));
      return row && keyOf(row);
    },
    async hadSigningKeys() {
      return ((await database.first(selectLock()))?.taken ?? 0) > 0;
    },
    async addFirstSigningKeys(keys) {
      return runGuarded(database, { audit: NO_ENTRY, guard: takeLock(), effects: keys.map(insertKey) });
    },
    async rotateSigningKey(by, { activeKid, nextKid, following }) {
      return runGuarded(database, {
        audit: entry(by, { action: 'keys.rotate', subject: { kind: 'key', id: nextKid } }),
        guard: retireKey({ kid: activeKid, at: by.at }),
        effects: [activateKey({ kid: nextKid, at: by.at }), insertKey(following)],
        events: [rotationEvent(by, nextKid)],
      });
    },
    async replaceCompromisedSigningKeys(by, { kid, alg }, keys) {
      return runGuarded(database, {
        audit: entry(by, { action: 'keys.replace_compromised', subject: { kind: 'key', id: kid } }),
        // Deletes only the active key, so that only one of two takes effect: this, or a parallel rotation.
        guard: deleteActiveKey({ kid }),
        effects: [deleteKeysOf({ alg }), ...keys.map(insertKey)],
        events: activeIn(keys).map((key) => rotationEvent(by, key.kid, 'compromised')),
      });
    },
    async replaceLostSigningKeys(by, keys) {
      const audits = keys.map(({ kid }) =>
        entry(by, { action: 'keys.replace_lost', subject: { kind: 'key', id: kid } }),
      );
      await database.atomically({
        audit: { entries: audits.flatMap(({ entries }) => entries) },
        guard: keepLock(),
        effects: keys.flatMap((key) => [deleteKeysIn({ alg: key.alg, state: key.state }), insertKey(key)]),
        events: activeIn(keys).map(({ kid }) => rotationEvent(by, kid, 'lost')),
      });
    },
    async deleteSigningKeysRetiredBefore(moment) {
      await database.atomically({ audit: NO_ENTRY, guard: deleteRetiredKeys({ moment }) });
    },
  };
}

function activeIn(keys: readonly SigningKey[]): readonly SigningKey[] {
  return keys.filter(({ state }) => state === 'active');
}

function rotationEvent(by: Doer, subject: string, detail?: 'compromised' | 'lost'): Bound<unknown> {
  return securityEvent({ event: 'keys_rotated', at: by.at, by: by.kind, subject, ...(detail && { detail }) });
}

const KEY_COLUMNS = fragment`
  kid, alg, state, public_jwk AS "publicJwk", private_jwk AS "privateJwk",
  created_at AS "createdAt", activated_at AS "activatedAt", retired_at AS "retiredAt"`;

// A damaged key counts as missing: then the server says that keys are missing, and which command helps.
function keyOf(row: Stored<SigningKey>): SigningKey | undefined {
  try {
    return { ...row, publicJwk: JSON.parse(row.publicJwk), privateJwk: JSON.parse(row.privateJwk) };
  } catch {
    return undefined;
  }
}

const selectKeys = sql<void, Stored<SigningKey>>`
  SELECT ${KEY_COLUMNS} FROM signing_keys ORDER BY created_at DESC`;

const selectActiveKey = sql<{ alg: SigningAlgorithm }, Stored<SigningKey>>`
  SELECT ${KEY_COLUMNS} FROM signing_keys WHERE alg = :alg AND state = 'active'`;

const selectLock = sql<void, { taken: number }>`
  SELECT taken FROM locks WHERE name = 'signing-keys'`;

// The lock is never released: once it is taken, the database has had keys.
const takeLock = sql<void>`
  UPDATE locks SET taken = 1 WHERE name = 'signing-keys' AND taken = 0`;

// Makes replacements wait for each other.
const keepLock = sql<void>`
  UPDATE locks SET taken = 1 WHERE name = 'signing-keys'`;

function insertKey(key: SigningKey): Bound<unknown> {
  const publicJwk = JSON.stringify(key.publicJwk);
  return insertNewKey({ ...key, publicJwk, privateJwk: JSON.stringify(key.privateJwk) });
}

const insertNewKey = sql<Stored<SigningKey>>`
  INSERT INTO signing_keys (kid, alg, state, public_jwk, private_jwk, created_at, activated_at, retired_at)
  VALUES (:kid, :alg, :state, :publicJwk, :privateJwk, :createdAt, :activatedAt, :retiredAt)`;

const retireKey = sql<{ kid: string; at: Timestamp }>`
  UPDATE signing_keys SET state = 'retired', retired_at = :at WHERE kid = :kid AND state = 'active'`;

const activateKey = sql<{ kid: string; at: Timestamp }>`
  UPDATE signing_keys SET state = 'active', activated_at = :at WHERE kid = :kid AND state = 'next'`;

const deleteActiveKey = sql<{ kid: string }>`
  DELETE FROM signing_keys WHERE kid = :kid AND state = 'active'`;

const deleteKeysOf = sql<{ alg: SigningAlgorithm }>`
  DELETE FROM signing_keys WHERE alg = :alg`;

const deleteKeysIn = sql<{ alg: SigningAlgorithm; state: SigningKey['state'] }>`
  DELETE FROM signing_keys WHERE alg = :alg AND state = :state`;

const deleteRetiredKeys = sql<{ moment: Timestamp }>`
  DELETE FROM signing_keys WHERE state = 'retired' AND retired_at < :moment`;
