// Spec §4.2, §5.2 with contract §4: codes and refresh tokens at POST /api/oauth/token.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { json } from '../support/json.ts';
import { notebook } from '../support/people.ts';
import { askToken, atOnce, callApi, pkce, signInWith } from '../support/relying-party.ts';
import { app, assertError, client, exchange, openFixture, phone } from './token-fixture.ts';

before(openFixture);
after(() => app.close());

describe('invalid_grant: the code', () => {
  test('unknown, cut short, extended, in another case, or not a code at all', async () => {
    const fields = await exchange();
    const tokens = await signInWith(app, client, 'alice');
    const code = fields.code ?? '';
    const flipped = code.replace(/[a-z]/, (letter) => letter.toUpperCase());
    for (const wrong of [
      'x',
      code.slice(0, -1),
      `${code}a`,
      code.slice(1),
      flipped.slice(0, 5) === code.slice(0, 5) ? flipped : `${code}b`,
      tokens.access_token,
      tokens.refresh_token,
      '\uFFFD',
      "' OR 1=1 --",
    ]) {
      await assertError(await askToken(app, client, { ...fields, code: wrong }), 400, 'invalid_grant');
    }
    assert.equal((await askToken(app, client, fields)).status, 200);
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);
  });

  test('of another application: refused, and nothing else happens', async () => {
    const fields = await exchange();
    const other = await notebook(app.portico);

    await assertError(await askToken(app, other, fields), 400, 'invalid_grant');
    await assertError(await askToken(app, phone, fields), 400, 'invalid_grant');
    const tokens = await json(await askToken(app, client, fields));
    await assertError(await askToken(app, other, fields), 400, 'invalid_grant');
    assert.equal((await callApi(app, '/', tokens.access_token)).status, 200);
  });

  test('redirect_uri differs from the authorization request, although it is registered', async () => {
    const two = await notebook(app.portico, {
      redirectUris: ['https://a.example/cb', 'https://b.example/cb'],
    });
    const fields = await exchange(two);

    await assertError(
      await askToken(app, two, { ...fields, redirect_uri: 'https://b.example/cb' }),
      400,
      'invalid_grant',
    );
    assert.equal((await askToken(app, two, fields)).status, 200);
  });

  test('code_verifier mismatch, or missing although a challenge was used', async () => {
    const fields = await exchange();
    const { code_verifier: verifier = '', ...withoutVerifier } = fields;
    const { challenge } = pkce();
    for (const wrong of [
      pkce().verifier,
      challenge,
      verifier.slice(0, 42),
      verifier.padEnd(129, 'a'),
      `${verifier.slice(0, -1)}!`,
    ]) {
      await assertError(
        await askToken(app, client, { ...fields, code_verifier: wrong }),
        400,
        'invalid_grant',
      );
    }
    await assertError(await askToken(app, client, withoutVerifier), 400, 'invalid_grant');
    assert.equal((await askToken(app, client, fields)).status, 200);
  });

  test('code_verifier sent although no challenge was used: invalid_request', async () => {
    const fields = await exchange(client, false);

    await assertError(
      await askToken(app, client, { ...fields, code_verifier: pkce().verifier }),
      400,
      'invalid_request',
    );
    assert.equal((await askToken(app, client, fields)).status, 200);
  });

  test('consent withdrawn between authorization and exchange', async () => {
    const own = await notebook(app.portico);
    const fields = await exchange(own);
    const user = await app.portico.identity.reads.findUserByName('alice');
    await withdrawOwnConsent(byMember({ id: user?.id ?? 0 }, app.portico.clock), app.portico.oauth, own.id);

    await assertError(await askToken(app, own, fields), 400, 'invalid_grant');
  });
});

describe('Refresh', () => {
  test('the scope can narrow the access token and never widens it; the next refresh has the whole scope again', async () => {
    const tokens = await signInWith(app, client, 'alice');
    const narrowed = await json(
      await askToken(app, client, {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        scope: 'profile:read wallet',
      }),
    );

    assert.equal(narrowed.scope, 'profile:read');
    assert.equal((await callApi(app, '/me/posts', narrowed.access_token)).status, 403);
    const whole = await json(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: narrowed.refresh_token }),
    );
    assert.equal(whole.scope, 'profile:read posts:read');
  });

  test('a wider or unknown scope is invalid_scope and consumes nothing', async () => {
    const tokens = await signInWith(app, client, 'alice', 'profile:read');
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

    await assertError(
      await askToken(app, client, { ...refresh, scope: 'profile:read posts:read' }),
      400,
      'invalid_scope',
    );
    await assertError(await askToken(app, client, { ...refresh, scope: 'wallet' }), 400, 'invalid_scope');
    assert.equal((await askToken(app, client, refresh)).status, 200);
  });

  test('by another application, without the secret, or with something else than a refresh token: refused, no harm done', async () => {
    const tokens = await signInWith(app, client, 'alice');
    const other = await notebook(app.portico);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

    await assertError(await askToken(app, other, refresh), 400, 'invalid_grant');
    await assertError(await askToken(app, { ...client, secret: '' }, refresh), 401, 'invalid_client');
    await assertError(
      await askToken(app, client, { ...refresh, refresh_token: tokens.access_token }),
      400,
      'invalid_grant',
    );
    await assertError(
      await askToken(app, client, { ...refresh, refresh_token: tokens.refresh_token.slice(0, -1) }),
      400,
      'invalid_grant',
    );
    assert.equal((await askToken(app, client, refresh)).status, 200);
  });

  test('32 at the same moment: one succeeds, the others get invalid_grant, and a confidential application stays signed in', async () => {
    const tokens = await signInWith(app, client, 'alice');
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };

    const answers = await atOnce(app, 32, () => askToken(app, client, refresh));

    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 400));
    const next = await json(winners[0]);
    assert.equal(
      (await askToken(app, client, { grant_type: 'refresh_token', refresh_token: next.refresh_token }))
        .status,
      200,
    );
  });

  test('the lifetime of a refresh token is 30 days from its issue', async () => {
    const tokens = await signInWith(app, client, 'alice');
    app.clock.advance(30 * 24 * 3600 * 1000 - 1000);
    const inTime = await askToken(app, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    const next = await json(inTime);
    app.clock.advance(30 * 24 * 3600 * 1000);

    assert.equal(inTime.status, 200);
    await assertError(
      await askToken(app, client, { grant_type: 'refresh_token', refresh_token: next.refresh_token }),
      400,
      'invalid_grant',
    );
  });
});
