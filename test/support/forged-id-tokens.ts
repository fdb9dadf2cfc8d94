// id_tokens that nobody should believe, made from a genuine one: the classic confusions of algorithm, key and issuer.

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import type { Portico } from '../../src/compose.ts';

type Claims = Record<string, unknown>;

/** Each with what is wrong with it. All claim what the genuine one claims, but for the claim that is named. */
export async function forgedIdTokens(portico: Portico, genuine: string): Promise<[string, string][]> {
  const [header = '', payload = '', signature = ''] = genuine.split('.');
  const { kid } = decoded(header);
  const claims = decoded(payload);
  const key = (await portico.oauth.reads.signingKeys()).find((known) => known.kid === kid);
  if (key === undefined) throw new Error('The genuine id_token is not of this service.');
  const publicKey = await importJWK(key.publicJwk, key.alg, { extractable: true });
  const pem = await exportSPKI(publicKey as CryptoKey);
  const withHmac = (secret: string, more: Claims = {}) =>
    hmacSigned({ alg: 'HS256', ...more }, claims, secret);
  const resigned = async (changed: Claims) =>
    new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ alg: key.alg, kid: key.kid })
      .sign(await importJWK(key.privateJwk, key.alg));
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const byStranger = (more: Claims) => rsaSigned({ alg: 'RS256', ...more }, claims, stranger.privateKey);

  return [
    ['unsigned', `${encoded({ alg: 'none' })}.${payload}.`],
    ['unsigned, with our kid', `${encoded({ alg: 'none', kid })}.${payload}.`],
    ['unsigned, with another spelling of none', `${encoded({ alg: 'nOnE', kid })}.${payload}.`],
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
      'signed by a stranger who brings the key',
      byStranger({ kid, jwk: stranger.publicKey.export({ format: 'jwk' }) }),
    ],
    [
      'signed by a stranger who says where the key is',
      byStranger({ kid, jku: 'https://mallory.example/jwks' }),
    ],
    ['another algorithm than that of the key', `${encoded({ alg: 'ES256', kid })}.${payload}.${signature}`],
    ['changed claims', `${header}.${encoded({ ...claims, sub: '1', aud: 'app_x' })}.${signature}`],
    ['of another issuer', await resigned({ iss: 'https://elsewhere.example' })],
    ['of an issuer with a slash more', await resigned({ iss: `${claims.iss}/` })],
    ['for several audiences', await resigned({ aud: [claims.aud, 'app_x'] })],
    ['with a sub that is no number', await resigned({ sub: `${claims.sub} ` })],
    ['without sub', await resigned({ sub: undefined })],
    ['no JWT at all', 'alice'],
  ];
}

function hmacSigned(header: Claims, claims: Claims, secret: string): string {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function rsaSigned(header: Claims, claims: Claims, key: Parameters<typeof sign>[2]): string {
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function encoded(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): Claims {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
