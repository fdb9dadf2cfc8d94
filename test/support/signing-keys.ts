// Signing keys that every program under test starts with: making its own would take it 100 ms.

import type { Portico } from '../../src/compose.ts';
import type { SigningKey } from '../../src/oauth/signing-key-store.ts';
import keys from './signing-keys.json' with { type: 'json' };

/** Brings a fresh database up to date, as `prepare` does, but with the keys of the tests for its first keys. */
export async function prepareWithTestKeys(portico: Portico): Promise<void> {
  await portico.database.migrate();
  const now = portico.clock();
  const signingKeys = (keys as Pick<SigningKey, 'kid' | 'alg' | 'state' | 'publicJwk' | 'privateJwk'>[]).map(
    (key) => ({
      ...key,
      createdAt: now,
      activatedAt: key.state === 'active' ? now : undefined,
      retiredAt: undefined,
    }),
  );
  await portico.oauth.writes.addFirstSigningKeys(signingKeys);
  await portico.prepare();
}
