// Redeeming an authorization code (RFC 6749 §4.1.3, spec §3.1 and §3.2).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, SECOND } from '../../src/lib/clock.ts';
import type { OAuthErrorCode } from '../../src/oauth/errors.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import {
  asMember,
  assertRefused,
  challengeOf,
  NEW_YEAR,
  type Parameters,
  POCKET_CALLBACK,
  VERIFIER,
} from './provider.ts';
import {
  allow,
  closeFixture,
  isHonoured,
  openFixture,
  personalToken,
  provider,
  redeem,
  signIn,
} from './token-fixture.ts';

// The answer must not reveal the account's status, so the words are the same as for withdrawn consent.
const REVOKED = /^The authorization code was revoked\.$/;
const NO_CHALLENGE = { code_challenge: undefined, code_challenge_method: undefined };

beforeEach(openFixture);
afterEach(closeFixture);

describe('a good code', () => {
  test('yields an access token and a refresh token with the scopes that the member allowed', async () => {
    const code = await allow(provider.notebook, provider.alice, { ticked: ['posts:read'] });

    const tokens = await redeem(code);

    assert.match(code, /^svcc_[A-Za-z0-9]{60}$/);
    assert.match(tokens.accessToken, /^svco_[A-Za-z0-9]{60}$/);
    assert.match(tokens.refreshToken, /^svcr_[A-Za-z0-9]{60}$/);
    assert.deepEqual(tokens.scopes, ['posts:read']);
    assert.equal(await isHonoured(tokens.accessToken), true);
  });

  test('is bound to the member, the nonce and the moment of the sign-in', async () => {
    const signedIn = { userId: provider.alice.userId, authenticatedAt: NEW_YEAR - 2 * HOUR };
    const changes = { scope: 'openid', nonce: 'n-0S6_WzA2Mj' };
    const withNonce = await allow(provider.notebook, signedIn, { changes });
    const code = await allow(provider.notebook, signedIn);

    const { refreshToken } = await redeem(code);

    const record = await provider.server.reads.findAuthorizationCode(withNonce.slice(5, 27));
    assert.equal(record?.nonce, 'n-0S6_WzA2Mj');
    const family = await provider.server.reads.findTokenFamily(refreshToken.slice(5, 27));
    assert.equal(family?.userId, provider.alice.userId);
    assert.equal(family?.clientId, provider.notebook.id);
    assert.equal(family?.authenticatedAt, NEW_YEAR - 2 * HOUR);
  });

  test('of a public application is redeemed with its verifier alone', async () => {
    const code = await allow(provider.pocket);

    await assert.doesNotReject(redeem(code, provider.pocket));
  });

  test('without a challenge is redeemed without a verifier', async () => {
    const code = await allow(provider.notebook, provider.alice, { changes: NO_CHALLENGE });

    await assert.doesNotReject(redeem(code, provider.notebook, { code_verifier: undefined }));
  });

  for (const verifier of ['a'.repeat(43), '-._~'.repeat(32)]) {
    test(`is redeemed with a verifier of ${verifier.length} characters`, async () => {
      const changes = { code_challenge: challengeOf(verifier) };
      const code = await allow(provider.notebook, provider.alice, { changes });

      await assert.doesNotReject(redeem(code, provider.notebook, { code_verifier: verifier }));
    });
  }

  test('is valid for 5 minutes: at 299 seconds it is redeemed', async () => {
    const code = await allow();

    provider.advance(299 * SECOND);

    await assert.doesNotReject(redeem(code));
  });

  test('two codes of one member for one application can both be redeemed', async () => {
    const first = await allow();
    const second = await allow();

    const tokens = [await redeem(second), await redeem(first)];

    for (const { accessToken } of tokens) assert.equal(await isHonoured(accessToken), true);
  });
});

describe('a request with any single fault is refused, and does not consume the code', () => {
  const FAULTS: [name: string, changes: Parameters, code: OAuthErrorCode][] = [
    ['code missing', { code: undefined }, 'invalid_request'],
    ['code empty', { code: '' }, 'invalid_request'],
    ['redirect_uri missing', { redirect_uri: undefined }, 'invalid_request'],
    ['redirect_uri empty', { redirect_uri: '' }, 'invalid_request'],
    [
      'redirect_uri with a slash more',
      { redirect_uri: 'https://notebook.example/oauth/callback/' },
      'invalid_grant',
    ],
    [
      'redirect_uri that is registered, but was not used',
      { redirect_uri: 'https://notebook.example/other' },
      'invalid_grant',
    ],
    ['redirect_uri of another application', { redirect_uri: POCKET_CALLBACK }, 'invalid_grant'],
    ['code_verifier missing', { code_verifier: undefined }, 'invalid_request'],
    ['code_verifier empty', { code_verifier: '' }, 'invalid_request'],
    ['code_verifier wrong', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['code_verifier that is the challenge', { code_verifier: challengeOf(VERIFIER) }, 'invalid_grant'],
    ['code_verifier in the other case', { code_verifier: VERIFIER.toUpperCase() }, 'invalid_grant'],
    ['code_verifier of 42 characters', { code_verifier: VERIFIER.slice(1) }, 'invalid_grant'],
    ['code_verifier of 129 characters', { code_verifier: VERIFIER.repeat(3) }, 'invalid_grant'],
    ['code_verifier with a forbidden character', { code_verifier: `${VERIFIER}=` }, 'invalid_grant'],
  ];

  for (const [name, changes, error] of FAULTS) {
    test(`${name}: ${error}`, async () => {
      const notebook = await provider.register({
        redirectUris: ['https://notebook.example/oauth/callback', 'https://notebook.example/other'],
      });
      const code = await allow(notebook);

      await assertRefused(redeem(code, notebook, changes), error);

      const { accessToken } = await redeem(code, notebook);
      assert.equal(await isHonoured(accessToken), true);
    });
  }

  test('code_verifier sent although there was no challenge: invalid_request', async () => {
    const code = await allow(provider.notebook, provider.alice, { changes: NO_CHALLENGE });

    await assertRefused(redeem(code), 'invalid_request', /no code_challenge/);

    await assert.doesNotReject(redeem(code, provider.notebook, { code_verifier: undefined }));
  });

  test('another application: invalid_grant', async () => {
    const code = await allow();

    for (const thief of [provider.trap, provider.pocket]) {
      const redirect_uri = provider.notebook.redirectUris[0];
      await assertRefused(redeem(code, thief), 'invalid_grant', /not known/);
      await assertRefused(redeem(code, thief, { redirect_uri }), 'invalid_grant', /not known/);
    }

    await assert.doesNotReject(redeem(code));
  });

  test('the account suspended: invalid_grant, until it is active again', async () => {
    const code = await allow();
    await provider.setStatus(provider.alice, 'suspended');

    await assertRefused(redeem(code), 'invalid_grant', REVOKED);

    await provider.setStatus(provider.alice, 'active');
    await assert.doesNotReject(redeem(code));
  });

  test('the account closed: invalid_grant', async () => {
    const code = await allow();
    await provider.setStatus(provider.alice, 'closed');

    await assertRefused(redeem(code), 'invalid_grant', REVOKED);
  });

  test('consent withdrawn: invalid_grant, even after consent is given again', async () => {
    const code = await allow();
    await withdrawOwnConsent(asMember(provider, provider.alice), provider.server, provider.notebook.id);

    await assertRefused(redeem(code), 'invalid_grant', REVOKED);

    const later = await signIn();
    await assertRefused(redeem(code), 'invalid_grant', REVOKED);
    assert.equal(await isHonoured(later.accessToken), true);
  });

  for (const [name, age] of [
    ['300 seconds', 300 * SECOND],
    ['301 seconds', 301 * SECOND],
    ['a day', 1 * DAY],
  ] as const) {
    test(`the code ${name} old: invalid_grant`, async () => {
      const code = await allow();

      provider.advance(age);

      await assertRefused(redeem(code), 'invalid_grant', /expired/);
    });
  }

  test('anything that is not the code: invalid_grant', async () => {
    const code = await allow();
    const tokens = await signIn(provider.notebook, provider.bob);
    const personal = await personalToken();
    const others = {
      unknown: mintToken('code', 'svc', NEW_YEAR).text,
      'the right key with another secret': mintToken('code', 'svc', NEW_YEAR, code.slice(5, 27)).text,
      'cut short': code.slice(0, -1),
      'cut to its key': code.slice(0, 27),
      prolonged: `${code}a`,
      'in the other case': code.toUpperCase(),
      'with a space': ` ${code}`,
      'an access token': tokens.accessToken,
      'a refresh token': tokens.refreshToken,
      'a personal token': personal,
      'made up': 'SplxlOBeZQQYbYS6WxSbIA',
    };

    for (const other of Object.values(others)) {
      await assertRefused(redeem(other), 'invalid_grant', /not known/);
    }

    await assert.doesNotReject(redeem(code));
    assert.equal(await isHonoured(tokens.accessToken), true);
  });
});
