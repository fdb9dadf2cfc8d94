// Signing keys, as rows. The private parts are in the database, whose file is readable by its owner alone, so that
// every node signs with the same.

import type { Selectable } from 'kysely';
import type { Timestamp } from '../../lib/clock.ts';
import type { SigningAlgorithm, SigningKey } from '../../oauth/signing-key.ts';
import type { OAuthStore } from '../../oauth/store.ts';
import { noteOf } from '../audit/audit-events.ts';
import type { Database } from '../engine/database.ts';
import type { Schema } from '../engine/schema.ts';
import { type Param, statement } from '../engine/statement.ts';

type Verbs =
  | 'signingKeys'
  | 'activeSigningKey'
  | 'hadSigningKeys'
  | 'addFirstSigningKeys'
  | 'rotateSigningKey'
  | 'deleteSigningKeysRetiredBefore';

export function signingKeyRows(database: Database): Pick<OAuthStore, Verbs> {
  return {
    async signingKeys() {
      return (await database.rows(selectKeys({}))).map(keyOf);
    },
    async activeSigningKey(alg) {
      const row = await database.first(selectActiveKey({ alg }));
      return row && keyOf(row);
    },
    async hadSigningKeys() {
      return ((await database.first(selectLock({})))?.taken ?? 0) > 0;
    },
    async addFirstSigningKeys(keys) {
      const outcome = await database.atomically({
        guard: takeLock({}),
        effects: keys.map((key) => insertKey(keyRow(key))),
      });
      return outcome.happened;
    },
    async rotateSigningKey(activeKid, nextKid, following, at, act) {
      const outcome = await database.atomically({
        guard: retireKey({ kid: activeKid, at }),
        effects: [
          activateKey({ kid: nextKid, at }),
          insertKey(keyRow(following)),
          ...noteOf(act, { action: 'keys.rotate', subjectKind: 'key', subjectId: nextKid }),
        ],
      });
      return outcome.happened;
    },
    async deleteSigningKeysRetiredBefore(moment) {
      await database.atomically({ guard: deleteRetiredKeys({ moment }) });
    },
  };
}

const selectKeys = statement((sql) =>
  sql.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc'),
);

const selectActiveKey = statement((sql, p: Param<{ alg: SigningAlgorithm }>) =>
  sql.selectFrom('signing_keys').selectAll().where('alg', '=', p('alg')).where('state', '=', 'active'),
);

const selectLock = statement((sql) =>
  sql.selectFrom('locks').select('taken').where('name', '=', 'signing-keys'),
);

// Taken once for ever: that it was taken tells that there were keys.
const takeLock = statement((sql) =>
  sql.updateTable('locks').set({ taken: 1 }).where('name', '=', 'signing-keys').where('taken', '=', 0),
);

const insertKey = statement((sql, p: Param<ReturnType<typeof keyRow>>) =>
  sql.insertInto('signing_keys').values({
    kid: p('kid'),
    alg: p('alg'),
    state: p('state'),
    public_jwk: p('public_jwk'),
    private_jwk: p('private_jwk'),
    created_at: p('created_at'),
    activated_at: p('activated_at'),
    retired_at: p('retired_at'),
  }),
);

const retireKey = statement((sql, p: Param<{ kid: string; at: Timestamp }>) =>
  sql
    .updateTable('signing_keys')
    .set({ state: 'retired', retired_at: p('at') })
    .where('kid', '=', p('kid'))
    .where('state', '=', 'active'),
);

const activateKey = statement((sql, p: Param<{ kid: string; at: Timestamp }>) =>
  sql
    .updateTable('signing_keys')
    .set({ state: 'active', activated_at: p('at') })
    .where('kid', '=', p('kid'))
    .where('state', '=', 'next'),
);

const deleteRetiredKeys = statement((sql, p: Param<{ moment: Timestamp }>) =>
  sql.deleteFrom('signing_keys').where('state', '=', 'retired').where('retired_at', '<', p('moment')),
);

function keyRow(key: SigningKey) {
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

function keyOf(row: Selectable<Schema['signing_keys']>): SigningKey {
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
