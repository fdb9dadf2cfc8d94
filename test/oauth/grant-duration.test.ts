// A consent that ends, and how long it is remembered.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { answer, ask, EVERYTHING, pause, redemption, respond, resume, withdraw } from './grant-fixture.ts';
import { assertRefused, consentOf } from './provider.ts';
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

describe('access for a day', () => {
  test('ends after a day for codes, access tokens and refresh tokens, whenever they were issued', async () => {
    const first = await redeem(await answer({ ticked: ['posts:read', 'profile:read'], duration: '1_day' }));
    provider.advance(1 * DAY - 2 * MINUTE);
    const second = await refresh(first.refreshToken);
    const silent = await ask();
    assert(silent.outcome === 'code');
    const third = await ask();
    assert(third.outcome === 'code');
    const issued = await respond(redemption(third.code));

    assert.equal(issued.expires_in, 120);
    assert.equal(second.expiresIn, 120);
    provider.advance(2 * MINUTE - 1);
    assert.equal(await isHonoured(second.accessToken), true);
    provider.advance(1);

    for (const token of [second.accessToken, issued.access_token]) {
      await assertRefused(
        async () => authenticateBearer(provider.server, token),
        'invalid_token',
        /^The token has expired\.$/,
      );
    }
    await assertRefused(refresh(second.refreshToken), 'invalid_grant', /expired/);
    await assertRefused(redeem(silent.code), 'invalid_grant', /expired/);
    assert.deepEqual(await ask(), { outcome: 'consent', question: EVERYTHING });
    assert.equal(await pause(), false);
    assert.equal(await withdraw(), false);
  });

  test('also shortens what was allowed before', async () => {
    const earlier = await signIn();
    const code = await allow();

    await answer({ ticked: [], duration: '1_day' }, { prompt: 'consent' });
    const tokens = await redeem(code);
    provider.advance(1 * DAY);

    await assertRefused(refresh(earlier.refreshToken), 'invalid_grant', /expired/);
    await assertRefused(refresh(tokens.refreshToken), 'invalid_grant', /expired/);
  });

  test('a longer choice is for what is issued from then on', async () => {
    const earlier = await redeem(await answer({ ticked: ['posts:read'], duration: '1_day' }));

    const later = await redeem(
      await answer({ ticked: [], duration: '30_days' }, { prompt: 'consent', scope: 'posts:read' }),
    );
    provider.advance(1 * DAY);

    await assertRefused(refresh(earlier.refreshToken), 'invalid_grant', /expired/);
    const refreshed = await refresh(later.refreshToken);
    provider.advance(29 * DAY);
    await assertRefused(refresh(refreshed.refreshToken), 'invalid_grant', /expired/);
    assert.equal(await consentOf(provider, provider.alice, provider.notebook), undefined);
  });
});

describe('access for one sign-in', () => {
  test('yields an access token for an hour and no refresh token, and is asked again', async () => {
    const code = await answer({ ticked: ['posts:read'], duration: 'once' });
    provider.advance(5 * MINUTE - 1);

    const tokens = await respond(redemption(code));

    assert.equal(tokens.refresh_token, undefined);
    assert.deepEqual([tokens.expires_in, tokens.scope], [3600, 'posts:read']);
    assert.deepEqual(await ask(), { outcome: 'consent', question: EVERYTHING });
    provider.advance(HOUR - 1);
    assert.equal(await isHonoured(tokens.access_token), true);
    provider.advance(1);
    assert.equal(await isHonoured(tokens.access_token), false);
  });

  test('is no consent for the next sign-in: what is unticked there is not allowed', async () => {
    await answer({ ticked: ['profile:read', 'posts:read'], duration: 'once' });

    const code = await answer({ ticked: ['posts:read'] });

    assert.deepEqual((await redeem(code)).scopes, ['posts:read']);
    assert.deepEqual(await consentOf(provider, provider.alice, provider.notebook), ['posts:read']);
  });

  test('can be paused and removed while it is valid', async () => {
    const code = await answer({ ticked: ['posts:read'], duration: 'once' });
    const { access_token: token } = await respond(redemption(code));

    await pause();
    assert.equal(await isHonoured(token), false);
    await resume();
    assert.equal(await isHonoured(token), true);
    assert.equal(await withdraw(), true);

    assert.equal(await isHonoured(token), false);
  });
});

describe('a remembered consent', () => {
  test('is asked again 180 days after the member last allowed it, even if the application was used meanwhile', async () => {
    await allow();
    provider.advance(100 * DAY);
    assert.equal((await ask()).outcome, 'code');
    provider.advance(80 * DAY - 1);
    assert.equal((await ask()).outcome, 'code');
    provider.advance(1);

    const held = { newScopes: [], heldScopes: ['profile:read', 'posts:read'] };
    assert.deepEqual(await ask(), { outcome: 'consent', question: held });
    await answer({ ticked: [] });

    provider.advance(179 * DAY);
    assert.equal((await ask()).outcome, 'code');
  });

  test('of any age lets tokens be refreshed', async () => {
    let tokens = await signIn();
    for (let days = 0; days < 200; days += 20) {
      provider.advance(20 * DAY);
      tokens = await refresh(tokens.refreshToken);
    }

    assert.equal(await isHonoured(tokens.accessToken), true);
  });
});
