// Secrets that all processes on one database can compute, so that no process must store or send them.

import { digestOf } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { activeKey } from './signing-key.ts';

/** Derive the secret of a purpose from the active signing key. It changes when the keys are rotated. */
export async function derivedSecret(server: AuthorizationServer, purpose: string): Promise<string> {
  const { privateJwk } = await activeKey(server, 'RS256');
  return digestOf(`${purpose} ${privateJwk.d}`);
}
