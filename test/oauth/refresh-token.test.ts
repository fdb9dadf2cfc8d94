// Refreshing with rotation (RFC 6749 §6, spec §3.3, contract §4).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, SECOND } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { rotateRefreshToken } from '../../src/oauth/refresh-token.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import {
  allow,
  asMember,
  assertDead,
  assertLives,
  formOf,
  isHonoured,
  NEW_YEAR,
  openProvider,
  type Provider,
  redeem,
  refresh,
  refused,
  signIn,
} from './provider.ts';

let provider: Provider;
beforeEach(async () => {
  provider = await openProvider();
});
afterEach(() => provider.close());

describe('every successful refresh issues a new refresh token and invalidates the old one (spec §3.3)', () => {
  for (const name of ['notebook', 'pocket'] as const) {
    test(name, async () => {
      const first = await signIn(provider, provider[name], provider.alice);

      const second = await refresh(provider, provider[name], first.refreshToken);
      const third = await refresh(provider, provider[name], second.refreshToken);

      assert.match(second.accessToken, /^svco_[A-Za-z0-9]{60}$/);
      assert.match(second.refreshToken, /^svcr_[A-Za-z0-9]{60}$/);
      assert.deepEqual(second.scopes, ['profile:read', 'posts:read']);
      assert.equal(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size, 3);
      assert.equal(new Set([first, second, third].map(({ accessToken }) => accessToken)).size, 3);
    });
  }

  test('earlier access tokens stay valid until they expire', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    provider.pass(10 * SECOND);

    const second = await refresh(provider, provider.notebook, first.refreshToken);

    provider.pass(1 * HOUR - 10 * SECOND - 1);
    assert.equal(await isHonoured(provider, first.accessToken), true);
    provider.pass(1);
    assert.equal(await isHonoured(provider, first.accessToken), false);
    assert.equal(await isHonoured(provider, second.accessToken), true);
    provider.pass(10 * SECOND);
    assert.equal(await isHonoured(provider, second.accessToken), false);
  });
});

describe('scope may narrow the access token, never widen it', () => {
  test('the narrower access token reads less, and the refresh token keeps all scopes', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);

    const narrower = await refresh(provider, provider.notebook, first.refreshToken, 'posts:read');
    const again = await refresh(provider, provider.notebook, narrower.refreshToken);

    assert.deepEqual(narrower.scopes, ['posts:read']);
    assert.deepEqual((await authenticateBearer(provider.server, narrower.accessToken)).scopes, [
      'posts:read',
    ]);
    assert.deepEqual(again.scopes, ['profile:read', 'posts:read']);
  });

  test('the same scopes, in any order and beside unknown ones, are no widening', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);

    const same = await refresh(provider, provider.notebook, first.refreshToken, 'posts:read profile:read');
    const withUnknown = await refresh(provider, provider.notebook, same.refreshToken, 'email profile:read');
    const empty = await refresh(provider, provider.notebook, withUnknown.refreshToken, '');

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
      const code = await allow(provider, provider.notebook, provider.alice, { ticked: ['posts:read'] });
      const first = await redeem(provider, provider.notebook, code);

      await refused(refresh(provider, provider.notebook, first.refreshToken, scope), 'invalid_scope');

      assert.deepEqual((await assertLives(provider, first)).scopes, ['posts:read']);
    });
  }

  test('scopes that the member allows later do not widen an earlier sign-in', async () => {
    const code = await allow(provider, provider.notebook, provider.alice, { ticked: ['posts:read'] });
    const first = await redeem(provider, provider.notebook, code);
    await signIn(provider, provider.notebook, provider.alice);

    await refused(refresh(provider, provider.notebook, first.refreshToken, 'profile:read'), 'invalid_scope');
    assert.deepEqual((await assertLives(provider, first)).scopes, ['posts:read']);
  });
});

describe('lifetimes', () => {
  test('a refresh token lives 30 days from its issue', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);

    provider.pass(30 * DAY - 1);
    const second = await refresh(provider, provider.notebook, first.refreshToken);
    provider.pass(30 * DAY - 1);
    const third = await refresh(provider, provider.notebook, second.refreshToken);
    provider.pass(30 * DAY);

    await refused(refresh(provider, provider.notebook, third.refreshToken), 'invalid_grant', /expired/);
  });

  test('a sign-in lives 365 days, however often it is refreshed', async () => {
    let tokens = await signIn(provider, provider.notebook, provider.alice);
    for (let day = 0; day < 360; day += 20) {
      provider.pass(20 * DAY);
      tokens = await refresh(provider, provider.notebook, tokens.refreshToken);
    }

    provider.setClock(NEW_YEAR + 365 * DAY - 1);
    const last = await refresh(provider, provider.notebook, tokens.refreshToken);
    const family = await provider.server.reads.findTokenFamily(last.refreshToken.slice(5, 27));
    assert.equal(family?.refreshExpiresAt, NEW_YEAR + 365 * DAY);
    provider.pass(1);

    await refused(refresh(provider, provider.notebook, last.refreshToken), 'invalid_grant', /expired/);
  });
});

describe('an old refresh token is invalid_grant, and that one sign-in ends', () => {
  for (const name of ['notebook', 'pocket'] as const) {
    test(`${name}: the predecessor, after 11 seconds`, async () => {
      const first = await signIn(provider, provider[name], provider.alice);
      const second = await refresh(provider, provider[name], first.refreshToken);
      provider.pass(11 * SECOND);

      await refused(refresh(provider, provider[name], first.refreshToken), 'invalid_grant', /already used/);

      assert.equal(await isHonoured(provider, first.accessToken), false);
      await assertDead(provider, second, provider[name]);
    });
  }

  test('an older one than the predecessor, at once', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    const second = await refresh(provider, provider.notebook, first.refreshToken);
    const third = await refresh(provider, provider.notebook, second.refreshToken);

    await refused(refresh(provider, provider.notebook, first.refreshToken), 'invalid_grant', /already used/);

    await assertDead(provider, third);
  });

  test('the right key with a secret that never existed, at once', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    const forged = mintToken('refresh', 'svc', NEW_YEAR, first.refreshToken.slice(5, 27)).text;

    await refused(refresh(provider, provider.notebook, forged), 'invalid_grant');

    await assertDead(provider, first);
  });

  test('also when the request asks for a wider scope', async () => {
    const first = await signIn(provider, provider.pocket, provider.alice);
    const second = await refresh(provider, provider.pocket, first.refreshToken);

    await refused(refresh(provider, provider.pocket, first.refreshToken, 'email'), 'invalid_grant');

    await assertDead(provider, second, provider.pocket);
  });

  test('other sign-ins of the same member stay valid', async () => {
    const other = await signIn(provider, provider.pocket, provider.alice);
    const first = await signIn(provider, provider.pocket, provider.alice);
    await refresh(provider, provider.pocket, first.refreshToken);

    await refused(refresh(provider, provider.pocket, first.refreshToken), 'invalid_grant');

    await assertLives(provider, other, provider.pocket);
  });
});

describe('anything but the application’s own live refresh token', () => {
  test('refresh_token missing or empty: invalid_request', async () => {
    const attempt = (refresh_token?: string) =>
      rotateRefreshToken(provider.server, provider.notebook, formOf({ refresh_token }));

    await refused(attempt(), 'invalid_request', /refresh_token/);
    await refused(attempt(''), 'invalid_request', /refresh_token/);
  });

  test('another application can do no harm with a token, the newest or an old one: invalid_grant', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    const second = await refresh(provider, provider.notebook, first.refreshToken);
    provider.pass(11 * SECOND);

    for (const thief of [provider.trap, provider.pocket]) {
      await refused(refresh(provider, thief, first.refreshToken), 'invalid_grant', /not known/);
      await refused(refresh(provider, thief, second.refreshToken), 'invalid_grant', /not known/);
    }

    await assertLives(provider, second);
  });

  test('an access token, a code, or one that is mutilated: invalid_grant, and no harm', async () => {
    const tokens = await signIn(provider, provider.notebook, provider.alice);
    const others = [
      tokens.accessToken,
      await allow(provider, provider.notebook, provider.alice),
      mintToken('refresh', 'svc', NEW_YEAR).text,
      mintToken('personal', 'svc', NEW_YEAR).text,
      tokens.refreshToken.slice(0, -1),
      tokens.refreshToken.slice(0, 27),
      `${tokens.refreshToken}a`,
      tokens.refreshToken.toUpperCase(),
      'tGzv3JOkF0XG5Qx2TlKWIA',
    ];

    for (const other of others) {
      await refused(refresh(provider, provider.notebook, other), 'invalid_grant', /not known/);
    }

    await assertLives(provider, tokens);
  });

  test('the account suspended: invalid_grant and nothing consumed, until it is active again', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    await provider.setStatus(provider.alice, 'suspended');

    await refused(refresh(provider, provider.notebook, first.refreshToken), 'invalid_grant', /was revoked/);

    await provider.setStatus(provider.alice, 'active');
    await assertLives(provider, first);
  });

  test('consent withdrawn: invalid_grant, also after it is given again', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    await withdrawOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id);

    await refused(refresh(provider, provider.notebook, first.refreshToken), 'invalid_grant', /revoked/);

    const later = await signIn(provider, provider.notebook, provider.alice);
    await assertDead(provider, first);
    await assertLives(provider, later);
  });
});
