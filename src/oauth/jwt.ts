// JSON Web Tokens that this server signs (RFC 7515 §3.1, the compact serialization).

import { SECOND, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { signature } from './signature.ts';
import type { SigningAlgorithm } from './signing-algorithm.ts';
import { activeKey } from './signing-key.ts';

/** Sign claims. The type keeps one kind of token from being taken for another (RFC 8725 §3.11). */
export async function signJwt(
  server: AuthorizationServer,
  alg: SigningAlgorithm,
  typ: string,
  claims: object,
): Promise<string> {
  const key = await activeKey(server, alg);
  const signingInput = `${base64urlJson({ alg, kid: key.kid, typ })}.${base64urlJson(claims)}`;
  return `${signingInput}.${await signature(key, signingInput)}`;
}

/** A moment as a claim has it. */
export function secondsOf(moment: Timestamp): number {
  return Math.floor(moment / SECOND);
}

function base64urlJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
