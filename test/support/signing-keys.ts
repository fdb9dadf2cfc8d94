// The signing keys that every program under test starts with: creating its own would take 100 ms.

import type { Portico } from '../../src/compose.ts';
import type { SigningKey } from '../../src/oauth/signing-key-store.ts';
import keys from './signing-keys.json' with { type: 'json' };

/** Prepare a fresh database like `prepare`, but with the tests' keys as its first keys. */
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
