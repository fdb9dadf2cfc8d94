// OpenID Connect Core with contract §6: the claims of the id_token, and the keys that verify it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { JWKS_CACHE_TIME, RETIRED_KEY_LIFETIME } from '../../src/oauth/jwks.ts';
import { maintainSigningKeys, rotateSigningKey } from '../../src/oauth/signing-key.ts';
import { openApp } from '../support/app.ts';
import { json } from '../support/json.ts';
import { idTokenOf, NONCE, openIdRequest, openIdTokens, verify } from '../support/openid.ts';
import { browserOf, notebook, person, setStatus } from '../support/people.ts';
import { askToken, callApi } from '../support/relying-party.ts';
import { alice, app, browser, client, openFixture, seconds } from './openid-fixture.ts';

before(openFixture);
after(() => app.close());

describe('The id_token', () => {
  test('is in the token response if openid was granted, and only then', async () => {
    const withOpenId = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });
    const without = await openIdTokens(app, client, browser, { scope: 'profile:read' });

    assert.ok(withOpenId.id_token);
    assert.equal('id_token' in without, false);
  });

  test('says who signed in, when and for whom, and nothing else', async () => {
    const own = await browserOf(app, 'alice');
    const signedInAt = seconds(app.clock.now);
    app.clock.advance(MINUTE);

    const tokens = await openIdTokens(app, client, own, { scope: 'openid profile:read' });
    const { payload, protectedHeader } = await verify(app, tokens.id_token, client);

    const hash = createHash('sha256').update(tokens.access_token).digest();
    assert.deepEqual(payload, {
      iss: app.url,
      sub: String(alice.id),
      aud: client.id,
      iat: signedInAt + 60,
      exp: signedInAt + 60 + 3600,
      auth_time: signedInAt,
      nonce: NONCE,
      at_hash: hash.subarray(0, 16).toString('base64url'),
    });
    assert.equal(protectedHeader.alg, 'RS256');
    assert.equal(protectedHeader.typ, 'JWT');
  });

  test('has no nonce if an application that may leave it out did so', async () => {
    const old = await notebook(app.portico, { acceptsMissingStateAndNonce: true });

    const { payload } = await verify(app, await idTokenOf(app, old, browser, { nonce: '' }), old);

    assert.equal('nonce' in payload, false);
  });

  test('is signed with RS256 and at least 2048 bits, or with ES256 for an application that asks for it', async () => {
    const modern = await notebook(app.portico, { idTokenAlg: 'ES256' });
    const usual = await verify(app, await idTokenOf(app, client, browser), client);
    const idToken = await verify(app, await idTokenOf(app, modern, browser), modern);
    const { keys } = await json(await fetch(`${app.url}/.well-known/jwks.json`));
    const moduli = keys.filter(({ kty }: { kty: string }) => kty === 'RSA').map(({ n }: { n: string }) => n);

    assert.equal(usual.protectedHeader.alg, 'RS256');
    assert.equal(idToken.protectedHeader.alg, 'ES256');
    for (const modulus of moduli) assert.ok(Buffer.from(modulus, 'base64url').length >= 256);
  });

  test('identifies a member by an id that is never reused, even after the account is closed', async () => {
    const carol = await person(app.portico, 'carol');
    await setStatus(app.portico.identity, carol.id, 'closed');

    const dave = await person(app.portico, 'dave');

    await assert.rejects(person(app.portico, 'carol'));
    assert.ok(dave.id > carol.id);
  });

  test('is not accepted as an access token', async () => {
    const idToken = await idTokenOf(app, client, browser);
    const userinfo = await fetch(`${app.url}/api/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${idToken}` },
    });

    assert.equal((await callApi(app, '/', idToken)).status, 401);
    assert.equal(userinfo.status, 401);
  });

  test('of a refresh is new, has the same member and sign-in, and no nonce', async () => {
    const first = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });
    const before = await verify(app, first.id_token, client);
    app.clock.advance(30 * MINUTE);

    const answer = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    });
    const second = await json(answer);
    const { payload } = await verify(app, second.id_token, client);

    const { nonce: _, ...expected } = before.payload;
    assert.deepEqual(payload, {
      ...expected,
      iat: (before.payload.iat ?? 0) + 1800,
      exp: (before.payload.exp ?? 0) + 1800,
      at_hash: createHash('sha256')
        .update(second.access_token)
        .digest()
        .subarray(0, 16)
        .toString('base64url'),
    });
  });

  test('is left out of a refresh that does not ask for openid', async () => {
    const first = await openIdTokens(app, client, browser, { scope: 'openid profile:read' });

    const answer = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      scope: 'profile:read',
    });

    assert.equal('id_token' in (await json(answer)), false);
  });
});

describe('The published keys', () => {
  test('have only public parts, each with its use, its algorithm and its own kid', async () => {
    const answer = await fetch(`${app.url}/.well-known/jwks.json`);
    const { keys, ...rest } = await json(answer);

    const shapes = keys.map((key: object) => Object.keys(key).sort().join());
    assert.deepEqual(rest, {});
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    assert.deepEqual([...new Set(shapes)].sort(), ['alg,crv,kid,kty,use,x,y', 'alg,e,kid,kty,n,use']);
    assert.ok(keys.every(({ use }: { use: string }) => use === 'sig'));
    assert.equal(new Set(keys.map(({ kid }: { kid: string }) => kid)).size, 4);
  });

  test('verify id_tokens from before a rotation until they expire, and those from after it', async (t) => {
    const own = await openApp();
    t.after(() => own.close());
    await person(own.portico, 'alice');
    const client = await notebook(own.portico);
    const before = await idTokenOf(own, client, await browserOf(own, 'alice'));
    own.clock.advance(JWKS_CACHE_TIME);

    await rotateSigningKey(byServer(own.portico.clock), own.portico.oauth, 'RS256');
    const after = await idTokenOf(own, client, await browserOf(own, 'alice'));
    const [first, second] = [await verify(own, before, client), await verify(own, after, client)];
    own.clock.advance(HOUR - JWKS_CACHE_TIME - SECOND);
    await maintainSigningKeys(own.portico.oauth);
    const nearItsEnd = await verify(own, before, client);

    assert.notEqual(first.protectedHeader.kid, second.protectedHeader.kid);
    assert.equal(nearItsEnd.protectedHeader.kid, first.protectedHeader.kid);
  });

  test('contain each key before it signs', async (t) => {
    const own = await openApp();
    t.after(() => own.close());
    await person(own.portico, 'alice');
    const client = await notebook(own.portico);
    const { keys } = await json(await fetch(`${own.url}/.well-known/jwks.json`));
    own.clock.advance(JWKS_CACHE_TIME);

    await rotateSigningKey(byServer(own.portico.clock), own.portico.oauth, 'RS256');
    const { protectedHeader } = await verify(
      own,
      await idTokenOf(own, client, await browserOf(own, 'alice')),
      client,
    );

    assert.ok(keys.some(({ kid }: { kid: string }) => kid === protectedHeader.kid));
  });

  test('do not verify an id_token whose key was retired and removed', async (t) => {
    const own = await openApp();
    t.after(() => own.close());
    await person(own.portico, 'alice');
    const client = await notebook(own.portico);
    const idToken = await idTokenOf(own, client, await browserOf(own, 'alice'));
    own.clock.advance(JWKS_CACHE_TIME);
    await rotateSigningKey(byServer(own.portico.clock), own.portico.oauth, 'RS256');
    own.clock.advance(RETIRED_KEY_LIFETIME + SECOND);

    await maintainSigningKeys(own.portico.oauth);

    await assert.rejects(verify(own, idToken, client), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
    const hinted = await (await browserOf(own, 'alice')).open(
      `/oauth/authorize?${openIdRequest(client, { prompt: 'none', id_token_hint: idToken })}`,
    );
    assert.match(hinted.headers.get('location') ?? '', /error=login_required/);
  });
});
