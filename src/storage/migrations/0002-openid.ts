// OpenID Connect: signing keys, and the signature algorithm of each application. Applications that have all
// earlier scopes get openid too.

import type { Migration } from './migration.ts';

export const openid: Migration = {
  name: '0002-openid',
  up(dialect) {
    const key = dialect === 'postgres' ? 'text COLLATE "C" PRIMARY KEY' : 'text PRIMARY KEY';
    return [
      `CREATE TABLE signing_keys (
        kid ${key},
        alg text NOT NULL CHECK (alg IN ('RS256', 'ES256')),
        state text NOT NULL CHECK (state IN ('next', 'active', 'retired')),
        public_jwk text NOT NULL,
        private_jwk text NOT NULL,
        created_at bigint NOT NULL,
        activated_at bigint,
        retired_at bigint
      )`,
      // At most one key of each algorithm is next and at most one is active, even after parallel rotations.
      "CREATE UNIQUE INDEX signing_keys_in_turn ON signing_keys (alg, state) WHERE state <> 'retired'",
      "INSERT INTO locks (name) VALUES ('signing-keys')",
      "ALTER TABLE clients ADD COLUMN id_token_alg text NOT NULL DEFAULT 'RS256'",
      "UPDATE clients SET scopes = 'openid profile:read posts:read' WHERE scopes = 'profile:read posts:read'",
    ];
  },
};
