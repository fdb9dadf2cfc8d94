// Forged id_tokens, made from a genuine one: the classic confusions of algorithm, key and issuer.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import type { Portico } from '../../src/compose.ts';

type Claims = Record<string, unknown>;

/** Return forgeries, each with its fault. Unless the fault is in a claim, the claims are those of the genuine one. */
export async function forgedIdTokens(portico: Portico, genuine: string): Promise<[string, string][]> {
  const [header = '', payload = '', signature = ''] = genuine.split('.');
  const { kid } = decode(header);
  const claims = decode(payload);
  const key = (await portico.oauth.reads.signingKeys()).find((ours) => ours.kid === kid);
  if (key === undefined) throw new Error('The genuine id_token was not issued here.');
  const publicKey = await importJWK(key.publicJwk, key.alg, { extractable: true });
  const pem = await exportSPKI(publicKey as CryptoKey);
  const withHmac = (secret: string, more: Claims = {}) =>
    signWithHmac({ alg: 'HS256', ...more }, claims, secret);
  const signWithOurKey = async (changes: Claims, naming: { kid?: string } = { kid: key.kid }) =>
    new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: key.alg, ...naming })
      .sign(await importJWK(key.privateJwk, key.alg));
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const byStranger = (more: Claims) => signWithRsa({ alg: 'RS256', ...more }, claims, stranger.privateKey);

  return [
    ['unsigned', `${encode({ alg: 'none' })}.${payload}.`],
    ['unsigned, with our kid', `${encode({ alg: 'none', kid })}.${payload}.`],
    ['unsigned, with another spelling of none', `${encode({ alg: 'nOnE', kid })}.${payload}.`],
    ['the genuine one without its signature', `${header}.${payload}.`],
    ['the genuine one without its last part', `${header}.${payload}`],
    ['HS256 with our public key as PEM', withHmac(pem, { kid })],
    ['HS256 with our public key as PEM, trimmed', withHmac(pem.trim(), { kid })],
    ['HS256 with our public key as JWK', withHmac(JSON.stringify(key.publicJwk), { kid })],
    ['HS256 with our modulus', withHmac(String(key.publicJwk.n), { kid })],
    ['HS256 with an empty key', withHmac('', { kid })],
    ['HS256 with our kid as the key', withHmac(key.kid, { kid })],
    ['signed by a stranger, with our kid', byStranger({ kid })],
    ['signed by a stranger, without kid', byStranger({})],
    [
      'signed by a stranger, with the stranger’s key in the header',
      byStranger({ kid, jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    [
      'signed by a stranger, with the address of the key in the header',
      byStranger({ kid, jku: 'https://mallory.example/jwks' }),
    ],
    ['with another algorithm than the key’s', `${encode({ alg: 'ES256', kid })}.${payload}.${signature}`],
    ['with changed claims', `${header}.${encode({ ...claims, sub: '1', aud: 'app_x' })}.${signature}`],
    ['of another issuer', await signWithOurKey({ iss: 'https://elsewhere.example' })],
    ['of our issuer with a slash added', await signWithOurKey({ iss: `${claims.iss}/` })],
    ['for several audiences', await signWithOurKey({ aud: [claims.aud, 'app_x'] })],
    ['with a space in sub', await signWithOurKey({ sub: `${claims.sub} ` })],
    ['with a username as sub', await signWithOurKey({ sub: 'alice' })],
    ['without sub', await signWithOurKey({ sub: undefined })],
    [
      'signed with our key, but not an id_token',
      await signWithOurKey({ at_hash: undefined, auth_time: undefined }),
    ],
    ['signed with our key, without kid', await signWithOurKey({}, {})],
    ['not a JWT at all', 'alice'],
    ['three dots', '...'],
  ];
}

function signWithHmac(header: Claims, claims: Claims, secret: string): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

function signWithRsa(header: Claims, claims: Claims, key: Parameters<typeof sign>[2]): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

function encode(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): Claims {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
