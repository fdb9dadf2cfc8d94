// Signatures (RFC 7518 §3.3, §3.4) with the keys of id_tokens.

import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKeyInput,
  type KeyObject,
  type SignKeyObjectInput,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { SigningKey } from './signing-key-store.ts';

/**
 * Sign a text. The result is in base64url. An RS256 signature takes as long as several requests, so another
 * thread makes it. An ES256 signature takes less time than the way to that thread and back.
 */
export async function signature({ kid, alg, privateJwk }: SigningKey, text: string): Promise<string> {
  const key = { key: importedKey(kid, privateJwk), dsaEncoding: 'ieee-p1363' } as const;
  const data = Buffer.from(text);
  const bytes = alg === 'ES256' ? sign('sha256', data, key) : await signInThreadPool('sha256', data, key);
  return bytes.toString('base64url');
}

/** Report whether signatures of the key are those of its public part. A damaged key can't sign. */
export async function canSign(key: SigningKey): Promise<boolean> {
  try {
    const bytes = Buffer.from(await signature(key, key.kid), 'base64url');
    const publicKey = createPublicKey({ key: key.publicJwk, format: 'jwk' } as JsonWebKeyInput);
    return verify('sha256', Buffer.from(key.kid), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
  } catch {
    return false;
  }
}

const signInThreadPool = promisify<string, Buffer, SignKeyObjectInput, Buffer>(sign);

// Importing a key costs as much as signing. A kid always names the same key.
const importedKeys = new Map<string, KeyObject>();

function importedKey(kid: string, jwk: JWK): KeyObject {
  let key = importedKeys.get(kid);
  if (key === undefined) {
    key = createPrivateKey({ key: jwk, format: 'jwk' } as JsonWebKeyInput);
    importedKeys.set(kid, key);
  }
  return key;
}
