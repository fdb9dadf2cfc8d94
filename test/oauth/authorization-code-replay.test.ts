// Redeeming an authorization code a second time (RFC 6749 §4.1.2, spec §3.1).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { assertRefused, NEW_YEAR, type Parameters } from './provider.ts';
import {
  allow,
  closeFixture,
  isHonoured,
  openFixture,
  personalToken,
  provider,
  redeem,
  refresh,
  revoke,
  signIn,
} from './token-fixture.ts';

beforeEach(openFixture);
afterEach(closeFixture);

describe('a code presented a second time is invalid_grant and ends every token of that member for that application', () => {
  const AGAIN: [name: string, changes: Parameters][] = [
    ['the same request', {}],
    ['with a wrong verifier', { code_verifier: 'a'.repeat(43) }],
    ['without a verifier', { code_verifier: undefined }],
    ['without a redirect_uri', { redirect_uri: undefined }],
    ['without either', { code_verifier: undefined, redirect_uri: undefined }],
    ['with another redirect_uri', { redirect_uri: 'https://evil.example/' }],
    ['for another resource', { resource: 'https://elsewhere.example/' }],
  ];

  for (const [name, changes] of AGAIN) {
    test(name, async () => {
      const code = await allow();
      const tokens = await redeem(code);

      await assertRefused(redeem(code, provider.notebook, changes), 'invalid_grant', /already used/);

      assert.equal(await isHonoured(tokens.accessToken), false);
      await assertRefused(refresh(tokens.refreshToken), 'invalid_grant');
    });
  }

  test('of a public application', async () => {
    const code = await allow(provider.pocket);
    const tokens = await redeem(code, provider.pocket);

    await assertRefused(redeem(code, provider.pocket), 'invalid_grant');

    assert.equal(await isHonoured(tokens.accessToken), false);
    await assertRefused(refresh(tokens.refreshToken, provider.pocket), 'invalid_grant');
  });

  test('also those of earlier and later sign-ins', async () => {
    const earlier = await signIn();
    const code = await allow();
    await redeem(code);
    const later = await signIn();

    await assertRefused(redeem(code), 'invalid_grant');

    for (const tokens of [earlier, later]) {
      assert.equal(await isHonoured(tokens.accessToken), false);
      await assertRefused(refresh(tokens.refreshToken), 'invalid_grant');
    }
  });

  test('also after rotations', async () => {
    const code = await allow();
    let tokens = await redeem(code);
    const accessTokens = [tokens.accessToken];
    for (let rotation = 0; rotation < 5; rotation += 1) {
      tokens = await refresh(tokens.refreshToken);
      accessTokens.push(tokens.accessToken);
    }

    await assertRefused(redeem(code), 'invalid_grant');

    for (const accessToken of accessTokens) assert.equal(await isHonoured(accessToken), false);
    await assertRefused(refresh(tokens.refreshToken), 'invalid_grant');
  });

  for (const [name, age] of [
    ['the code has expired', 6 * MINUTE],
    ['the access token has expired', 2 * HOUR],
    ['300 days', 300 * DAY],
  ] as const) {
    test(`also after ${name}`, async () => {
      const code = await allow();
      let tokens = await redeem(code);
      for (let days = 0; days * DAY < age; days += 25) {
        provider.advance(Math.min(25 * DAY, age - days * DAY));
        tokens = await refresh(tokens.refreshToken);
      }
      assert.equal(await isHonoured(tokens.accessToken), true);

      await assertRefused(redeem(code), 'invalid_grant', /already used/);

      assert.equal(await isHonoured(tokens.accessToken), false);
      await assertRefused(refresh(tokens.refreshToken), 'invalid_grant');
    });
  }

  test('other members, other applications and personal tokens are unharmed', async () => {
    const ofBob = await signIn(provider.notebook, provider.bob);
    const ofPocket = await signIn(provider.pocket);
    const personal = await personalToken();
    const code = await allow();
    await redeem(code);

    await assertRefused(redeem(code), 'invalid_grant');

    assert.equal(await isHonoured(ofBob.accessToken), true);
    assert.equal(await isHonoured(ofPocket.accessToken), true);
    assert.equal(await isHonoured(personal), true);
    await assert.doesNotReject(refresh(ofBob.refreshToken));
    await assert.doesNotReject(refresh(ofPocket.refreshToken, provider.pocket));
  });

  test('also every unredeemed code of that member for that application', async () => {
    const code = await allow();
    await redeem(code);
    const waiting = await allow();
    const ofBob = await allow(provider.notebook, provider.bob);
    const ofPocket = await allow(provider.pocket);

    await assertRefused(redeem(code), 'invalid_grant');

    await assertRefused(redeem(waiting), 'invalid_grant', /was revoked/);
    await assert.doesNotReject(redeem(ofBob));
    await assert.doesNotReject(redeem(ofPocket, provider.pocket));
  });

  test('by another application: invalid_grant, nothing else', async () => {
    const code = await allow();
    const tokens = await redeem(code);
    const waiting = await allow();

    await assertRefused(redeem(code, provider.trap), 'invalid_grant', /not known/);
    await assertRefused(redeem(code, provider.pocket), 'invalid_grant', /not known/);

    assert.equal(await isHonoured(tokens.accessToken), true);
    await assert.doesNotReject(refresh(tokens.refreshToken));
    await assert.doesNotReject(redeem(waiting));
  });

  test('with the right key and another secret: invalid_grant, nothing else', async () => {
    const code = await allow();
    const tokens = await redeem(code);

    await assertRefused(redeem(mintToken('code', 'svc', NEW_YEAR, code.slice(5, 27)).text), 'invalid_grant');

    assert.equal(await isHonoured(tokens.accessToken), true);
  });

  test('when the tokens are already revoked it is invalid_grant too, each time', async () => {
    const code = await allow();
    const tokens = await redeem(code);
    await revoke(tokens.refreshToken);

    await assertRefused(redeem(code), 'invalid_grant', /already used/);
    await assertRefused(redeem(code), 'invalid_grant', /already used/);
  });

  test('a sign-in after the replay stays valid', async () => {
    const code = await allow();
    await redeem(code);
    await assertRefused(redeem(code), 'invalid_grant');

    const later = await signIn();

    assert.equal(await isHonoured(later.accessToken), true);
  });

  test('at the same time: at most one yields tokens, and they are revoked', async () => {
    const code = await allow();

    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(code)));

    const tokens = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    assert.equal(tokens.length, 1);
    for (const { accessToken, refreshToken } of tokens) {
      assert.equal(await isHonoured(accessToken), false);
      await assertRefused(refresh(refreshToken), 'invalid_grant');
    }
  });
});
