// A consent that the member narrows or pauses.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { prepareSigningKeys } from '../../src/oauth/signing-key.ts';
import { answer, ask, EVERYTHING, narrow, pause, resume, scopesOf, withdraw } from './grant-fixture.ts';
import { assertRefused, consentOf, NEW_YEAR } from './provider.ts';
import {
  allow,
  closeFixture,
  isHonoured,
  openFixture,
  provider,
  redeem,
  refresh,
  signIn,
} from './token-fixture.ts';

beforeEach(openFixture);
afterEach(closeFixture);

describe('narrowing', () => {
  test('takes the scope from access tokens, refreshes and codes at once', async () => {
    const tokens = await signIn();
    const code = await allow();

    assert.deepEqual(await narrow('profile:read'), { outcome: 'narrowed', scopes: ['profile:read'] });

    assert.deepEqual(await scopesOf(tokens.accessToken), ['profile:read']);
    await assertRefused(refresh(tokens.refreshToken, provider.notebook, 'posts:read'), 'invalid_scope');
    assert.deepEqual((await refresh(tokens.refreshToken)).scopes, ['profile:read']);
    assert.deepEqual((await redeem(code)).scopes, ['profile:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['profile:read']);
  });

  test('leaves openid, and an application that has only openid can still sign the member in', async () => {
    await prepareSigningKeys(provider.server);
    const changes = { scope: 'openid posts:read', nonce: 'n-0S6' };
    const tokens = await redeem(await allow(provider.notebook, provider.alice, { changes }));

    assert.deepEqual(await narrow(), { outcome: 'narrowed', scopes: ['openid'] });

    assert.deepEqual(await scopesOf(tokens.accessToken), ['openid']);
    assert.notEqual((await refresh(tokens.refreshToken)).idToken, undefined);
  });

  test('asks to withdraw instead if nothing would be left, and adds nothing', async () => {
    await allow(provider.notebook, provider.alice, { ticked: ['posts:read'] });

    assert.deepEqual(await narrow(), { outcome: 'nothing_left' });
    assert.deepEqual(await narrow('profile:read', 'posts:read'), { outcome: 'unchanged' });
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['posts:read']);
    await withdraw();
    assert.deepEqual(await narrow('posts:read'), { outcome: 'no_consent' });
  });

  test('a scope that is allowed again later is not given back to earlier sign-ins', async () => {
    const { accessToken } = await signIn();
    await narrow('profile:read');

    assert.deepEqual(await ask(), {
      outcome: 'consent',
      question: { newScopes: ['posts:read'], heldScopes: ['profile:read'] },
    });
    await allow();

    assert.deepEqual(await scopesOf(accessToken), ['profile:read']);
  });

  test('held scopes can be dropped on the consent page', async () => {
    const earlier = await signIn();

    const code = await answer({ ticked: ['profile:read'], dropped: ['posts:read'] }, { prompt: 'consent' });

    assert.deepEqual((await redeem(code)).scopes, ['profile:read']);
    assert.deepEqual(await scopesOf(earlier.accessToken), ['profile:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['profile:read']);
  });

  test('held scopes can be dropped on the consent page when nothing else is ticked', async () => {
    const { accessToken } = await signIn();
    const dropping = { prompt: 'consent', scope: 'posts:read' };

    await assertRefused(answer({ ticked: [], dropped: ['posts:read'] }, dropping), 'access_denied');

    assert.deepEqual(await scopesOf(accessToken), ['profile:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['profile:read']);
  });

  test('dropping all held scopes on the consent page removes the access', async () => {
    const { accessToken } = await signIn();

    const dropped = answer({ ticked: [], dropped: ['profile:read', 'posts:read'] }, { prompt: 'consent' });
    await assertRefused(dropped, 'access_denied');

    assert.equal(await isHonoured(accessToken), false);
    assert.deepEqual(await narrow('profile:read'), { outcome: 'no_consent' });
  });
});

describe('a paused application', () => {
  test('is refused with the words for revoked tokens, and nothing is used up', async () => {
    const tokens = await signIn();
    const code = await allow();

    assert.equal(await pause(), true);
    assert.equal(await pause(), false);
    await assertRefused(
      async () => authenticateBearer(provider.server, tokens.accessToken),
      'invalid_token',
      /^The token was revoked\.$/,
    );
    await assertRefused(refresh(tokens.refreshToken), 'invalid_grant', /^The refresh token was revoked\.$/);
    await assertRefused(redeem(code), 'invalid_grant', /^The authorization code was revoked\.$/);

    assert.equal(await resume(), true);
    assert.equal(await resume(), false);
    assert.equal(await isHonoured(tokens.accessToken), true);
    await assert.doesNotReject(refresh(tokens.refreshToken));
    await assert.doesNotReject(redeem(code));
  });

  test('gets no more time: what expires during the pause stays expired', async () => {
    const { accessToken } = await signIn();
    const code = await allow();
    await pause();
    provider.advance(HOUR);
    await resume();

    assert.equal(await isHonoured(accessToken), false);
    await assertRefused(redeem(code), 'invalid_grant', /expired/);
  });

  test('is resumed by allowing its next request, which is asked about', async () => {
    const tokens = await signIn();
    await pause();

    assert.deepEqual(await ask(), {
      outcome: 'consent',
      question: { newScopes: [], heldScopes: ['profile:read', 'posts:read'], pausedAt: NEW_YEAR },
    });
    const silent = await ask({ prompt: 'none' });
    assert(silent.outcome === 'refused');
    assert.equal(silent.error.code, 'consent_required');
    await redeem(await answer({ ticked: [] }));

    assert.equal(await isHonoured(tokens.accessToken), true);
    assert.equal((await ask()).outcome, 'code');
  });

  test('still loses the sign-in if an old refresh token is used', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    provider.advance(MINUTE);
    await pause();

    await assertRefused(refresh(first.refreshToken), 'invalid_grant', /already used/);
    await resume();

    assert.equal(await isHonoured(second.accessToken), false);
  });

  test('can be removed, and then not be resumed', async () => {
    const tokens = await signIn();
    await pause();

    assert.equal(await withdraw(), true);

    assert.equal(await resume(), false);
    assert.equal(await isHonoured(tokens.accessToken), false);
    assert.deepEqual(await ask(), { outcome: 'consent', question: EVERYTHING });
  });
});
