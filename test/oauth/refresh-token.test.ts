// Refreshing with rotation (RFC 6749 §6, spec §3.3, contract §4).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, SECOND } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { rotateRefreshToken } from '../../src/oauth/refresh-token.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { asMember, assertRefused, formOf, NEW_YEAR } from './provider.ts';
import {
  allow,
  assertDead,
  assertLives,
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

describe('every successful refresh issues a new refresh token and invalidates the old one (spec §3.3)', () => {
  for (const name of ['notebook', 'pocket'] as const) {
    test(name, async () => {
      const first = await signIn(provider[name]);

      const second = await refresh(first.refreshToken, provider[name]);
      const third = await refresh(second.refreshToken, provider[name]);

      assert.match(second.accessToken, /^svco_[A-Za-z0-9]{60}$/);
      assert.match(second.refreshToken, /^svcr_[A-Za-z0-9]{60}$/);
      assert.deepEqual(second.scopes, ['profile:read', 'posts:read']);
      assert.equal(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size, 3);
      assert.equal(new Set([first, second, third].map(({ accessToken }) => accessToken)).size, 3);
    });
  }

  test('earlier access tokens stay valid until they expire', async () => {
    const first = await signIn();
    provider.advance(10 * SECOND);

    const second = await refresh(first.refreshToken);

    provider.advance(1 * HOUR - 10 * SECOND - 1);
    assert.equal(await isHonoured(first.accessToken), true);
    provider.advance(1);
    assert.equal(await isHonoured(first.accessToken), false);
    assert.equal(await isHonoured(second.accessToken), true);
    provider.advance(10 * SECOND);
    assert.equal(await isHonoured(second.accessToken), false);
  });
});

describe('scope may narrow the access token, never widen it', () => {
  test('the narrower access token reads less, and the refresh token keeps all scopes', async () => {
    const first = await signIn();

    const narrower = await refresh(first.refreshToken, provider.notebook, 'posts:read');
    const again = await refresh(narrower.refreshToken);

    assert.deepEqual(narrower.scopes, ['posts:read']);
    assert.deepEqual((await authenticateBearer(provider.server, narrower.accessToken)).scopes, [
      'posts:read',
    ]);
    assert.deepEqual(again.scopes, ['profile:read', 'posts:read']);
  });

  test('the same scopes, in any order and with unknown ones, do not widen it', async () => {
    const first = await signIn();

    const same = await refresh(first.refreshToken, provider.notebook, 'posts:read profile:read');
    const withUnknown = await refresh(same.refreshToken, provider.notebook, 'email profile:read');
    const empty = await refresh(withUnknown.refreshToken, provider.notebook, '');

    assert.deepEqual(same.scopes, ['profile:read', 'posts:read']);
    assert.deepEqual(withUnknown.scopes, ['profile:read']);
    assert.deepEqual(empty.scopes, ['profile:read', 'posts:read']);
  });

  const NEVER: [name: string, scope: string][] = [
    ['wider', 'profile:read posts:read'],
    ['another', 'profile:read'],
    ['only unknown ones', 'email'],
    ['only spaces', ' '],
    ['a forbidden character', 'posts:read "'],
  ];

  for (const [name, scope] of NEVER) {
    test(`${name}: invalid_scope, and nothing is consumed`, async () => {
      const code = await allow(provider.notebook, provider.alice, { ticked: ['posts:read'] });
      const first = await redeem(code);

      await assertRefused(refresh(first.refreshToken, provider.notebook, scope), 'invalid_scope');

      assert.deepEqual((await assertLives(first)).scopes, ['posts:read']);
    });
  }

  test('scopes that the member allows later do not widen an earlier sign-in', async () => {
    const code = await allow(provider.notebook, provider.alice, { ticked: ['posts:read'] });
    const first = await redeem(code);
    await signIn();

    await assertRefused(refresh(first.refreshToken, provider.notebook, 'profile:read'), 'invalid_scope');
    assert.deepEqual((await assertLives(first)).scopes, ['posts:read']);
  });
});

describe('lifetimes', () => {
  test('a refresh token is valid for 30 days from its issue', async () => {
    const first = await signIn();

    provider.advance(30 * DAY - 1);
    const second = await refresh(first.refreshToken);
    provider.advance(30 * DAY - 1);
    const third = await refresh(second.refreshToken);
    provider.advance(30 * DAY);

    await assertRefused(refresh(third.refreshToken), 'invalid_grant', /expired/);
  });

  test('a sign-in ends after 365 days, however often it is refreshed', async () => {
    let tokens = await signIn();
    for (let day = 0; day < 360; day += 20) {
      provider.advance(20 * DAY);
      tokens = await refresh(tokens.refreshToken);
    }

    provider.setClock(NEW_YEAR + 365 * DAY - 1);
    const last = await refresh(tokens.refreshToken);
    const family = await provider.server.reads.findTokenFamily(last.refreshToken.slice(5, 27));
    assert.equal(family?.refreshExpiresAt, NEW_YEAR + 365 * DAY);
    provider.advance(1);

    await assertRefused(refresh(last.refreshToken), 'invalid_grant', /expired/);
  });
});

describe('an old refresh token is invalid_grant, and that one sign-in ends', () => {
  for (const name of ['notebook', 'pocket'] as const) {
    test(`${name}: the predecessor, after 11 seconds`, async () => {
      const first = await signIn(provider[name]);
      const second = await refresh(first.refreshToken, provider[name]);
      provider.advance(11 * SECOND);

      await assertRefused(refresh(first.refreshToken, provider[name]), 'invalid_grant', /already used/);

      assert.equal(await isHonoured(first.accessToken), false);
      await assertDead(second, provider[name]);
    });
  }

  test('an older one than the predecessor, at once', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    const third = await refresh(second.refreshToken);

    await assertRefused(refresh(first.refreshToken), 'invalid_grant', /already used/);

    await assertDead(third);
  });

  test('the right key with a secret that never existed, at once', async () => {
    const first = await signIn();
    const forged = mintToken('refresh', 'svc', NEW_YEAR, first.refreshToken.slice(5, 27)).text;

    await assertRefused(refresh(forged), 'invalid_grant');

    await assertDead(first);
  });

  test('also when the request asks for a wider scope', async () => {
    const first = await signIn(provider.pocket);
    const second = await refresh(first.refreshToken, provider.pocket);

    await assertRefused(refresh(first.refreshToken, provider.pocket, 'email'), 'invalid_grant');

    await assertDead(second, provider.pocket);
  });

  test('other sign-ins of the same member stay valid', async () => {
    const other = await signIn(provider.pocket);
    const first = await signIn(provider.pocket);
    await refresh(first.refreshToken, provider.pocket);

    await assertRefused(refresh(first.refreshToken, provider.pocket), 'invalid_grant');

    await assertLives(other, provider.pocket);
  });
});

describe('anything but the application’s own live refresh token', () => {
  test('refresh_token missing or empty: invalid_request', async () => {
    const attempt = (refresh_token?: string) =>
      rotateRefreshToken(provider.server, provider.notebook, formOf({ refresh_token }));

    await assertRefused(attempt(), 'invalid_request', /refresh_token/);
    await assertRefused(attempt(''), 'invalid_request', /refresh_token/);
  });

  test('another application can do no harm with the newest token or an old one: invalid_grant', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);
    provider.advance(11 * SECOND);

    for (const thief of [provider.trap, provider.pocket]) {
      await assertRefused(refresh(first.refreshToken, thief), 'invalid_grant', /not known/);
      await assertRefused(refresh(second.refreshToken, thief), 'invalid_grant', /not known/);
    }

    await assertLives(second);
  });

  test('an access token, a code, or a damaged refresh token: invalid_grant, and no harm', async () => {
    const tokens = await signIn();
    const others = [
      tokens.accessToken,
      await allow(),
      mintToken('refresh', 'svc', NEW_YEAR).text,
      mintToken('personal', 'svc', NEW_YEAR).text,
      tokens.refreshToken.slice(0, -1),
      tokens.refreshToken.slice(0, 27),
      `${tokens.refreshToken}a`,
      tokens.refreshToken.toUpperCase(),
      'tGzv3JOkF0XG5Qx2TlKWIA',
    ];

    for (const other of others) {
      await assertRefused(refresh(other), 'invalid_grant', /not known/);
    }

    await assertLives(tokens);
  });

  test('the account suspended: invalid_grant and nothing consumed, until it is active again', async () => {
    const first = await signIn();
    await provider.setStatus(provider.alice, 'suspended');

    await assertRefused(refresh(first.refreshToken), 'invalid_grant', /was revoked/);

    await provider.setStatus(provider.alice, 'active');
    await assertLives(first);
  });

  test('consent withdrawn: invalid_grant, even after consent is given again', async () => {
    const first = await signIn();
    await withdrawOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id);

    await assertRefused(refresh(first.refreshToken), 'invalid_grant', /revoked/);

    const later = await signIn();
    await assertDead(first);
    await assertLives(later);
  });
});
