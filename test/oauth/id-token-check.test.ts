// Verifying an id_token step by step: each check alone can fail.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { checkIdToken, type ExpectedIdToken, ID_TOKEN_CHECKS } from '../../src/oauth/id-token-check.ts';

const NOW = Date.UTC(2027, 0, 1);
const EXPIRES = NOW / 1000 + 3600;
// The example of OpenID Connect Core, appendix A.3.
const ACCESS_TOKEN = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';
const AT_HASH = '77QmUPtjPfzWtF2AnpK9RQ';

const CLAIMS = {
  iss: 'https://portico.example',
  aud: 'app_1',
  sub: '7',
  exp: EXPIRES,
  nonce: 'n-0S6_WzA2Mj',
  at_hash: AT_HASH,
};

let privateKey: CryptoKey;
let keys: JWK[];

before(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  const jwk = await exportJWK(pair.publicKey);
  const other = await exportJWK((await generateKeyPair('ES256')).publicKey);
  keys = [
    { ...other, kid: 'k0', alg: 'ES256' },
    { ...jwk, kid: 'k1', alg: 'ES256' },
  ];
});

function sign(claims: object = CLAIMS, kid = 'k1'): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
}

function expected(changes: Partial<ExpectedIdToken> = {}): ExpectedIdToken {
  return {
    keys,
    alg: 'ES256',
    issuer: CLAIMS.iss,
    clientId: CLAIMS.aud,
    nonce: CLAIMS.nonce,
    accessToken: ACCESS_TOKEN,
    now: NOW,
    ...changes,
  };
}

async function failedChecks(idToken: string, changes: Partial<ExpectedIdToken> = {}): Promise<string[]> {
  const checked = await checkIdToken(idToken, expected(changes));
  assert(checked);
  return checked.checks.filter(({ isPassed }) => !isPassed).map(({ name }) => name);
}

test('A good id_token passes every check, and its parts can be read', async () => {
  assert.deepEqual(await failedChecks(await sign()), []);
  const { header, claims, checks } = (await checkIdToken(await sign(), expected())) ?? assert.fail();
  assert.deepEqual(header, { alg: 'ES256', kid: 'k1' });
  assert.deepEqual(claims, CLAIMS);
  assert.deepEqual(
    checks.map(({ name }) => name),
    ID_TOKEN_CHECKS,
  );
});

describe('It fails only the check of', () => {
  const WRONG: Record<string, [claims: object, changes: Partial<ExpectedIdToken>]> = {
    alg: [CLAIMS, { alg: 'RS256' }],
    iss: [{ ...CLAIMS, iss: 'https://portico.example/' }, {}],
    aud: [{ ...CLAIMS, aud: 'app_2' }, {}],
    exp: [CLAIMS, { now: EXPIRES * 1000 }],
    nonce: [{ ...CLAIMS, nonce: undefined }, {}],
    at_hash: [CLAIMS, { accessToken: 'another' }],
  };
  for (const [name, [claims, changes]] of Object.entries(WRONG)) {
    test(name, async () => assert.deepEqual(await failedChecks(await sign(claims), changes), [name]));
  }

  test('signature, if the key with its kid is another, none, or the text was changed', async () => {
    const [header, , signature] = (await sign()).split('.');
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, sub: '8' })).toString('base64url');

    for (const idToken of [
      await sign(CLAIMS, 'k0'),
      await sign(CLAIMS, 'k2'),
      `${header}.${claims}.${signature}`,
    ]) {
      assert.deepEqual(await failedChecks(idToken), ['signature']);
    }
  });
});

test('There is no check of at_hash without the claim, and none at all of another text', async () => {
  const { at_hash: _, ...claims } = CLAIMS;
  assert.deepEqual(await failedChecks(await sign(claims), { accessToken: 'another' }), []);
  assert.equal(await checkIdToken('svco_0', expected()), undefined);
});
