// Redeeming an authorization code a second time (RFC 6749 §4.1.2, spec §3.1).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import { mintToken } from '../../src/oauth/token.ts';
import {
  allow,
  isHonoured,
  NEW_YEAR,
  openProvider,
  type Parameters,
  type Provider,
  redeem,
  refresh,
  refused,
  revoke,
  signIn,
} from './provider.ts';

let provider: Provider;
beforeEach(async () => {
  provider = await openProvider();
});
afterEach(() => provider.close());

describe('a code presented a second time is invalid_grant and ends every token of that member for that application', () => {
  const AGAIN: [name: string, changes: Parameters][] = [
    ['the same request', {}],
    ['with a wrong verifier', { code_verifier: 'a'.repeat(43) }],
    ['without a verifier', { code_verifier: undefined }],
    ['without a redirect_uri', { redirect_uri: undefined }],
    ['without either', { code_verifier: undefined, redirect_uri: undefined }],
    ['with another redirect_uri', { redirect_uri: 'https://evil.example/' }],
  ];

  for (const [name, changes] of AGAIN) {
    test(name, async () => {
      const code = await allow(provider, provider.notebook, provider.alice);
      const tokens = await redeem(provider, provider.notebook, code);

      await refused(redeem(provider, provider.notebook, code, changes), 'invalid_grant', /already used/);

      assert.equal(await isHonoured(provider, tokens.accessToken), false);
      await refused(refresh(provider, provider.notebook, tokens.refreshToken), 'invalid_grant');
    });
  }

  test('of a public application', async () => {
    const code = await allow(provider, provider.pocket, provider.alice);
    const tokens = await redeem(provider, provider.pocket, code);

    await refused(redeem(provider, provider.pocket, code), 'invalid_grant');

    assert.equal(await isHonoured(provider, tokens.accessToken), false);
    await refused(refresh(provider, provider.pocket, tokens.refreshToken), 'invalid_grant');
  });

  test('also those of earlier and later sign-ins', async () => {
    const earlier = await signIn(provider, provider.notebook, provider.alice);
    const code = await allow(provider, provider.notebook, provider.alice);
    await redeem(provider, provider.notebook, code);
    const later = await signIn(provider, provider.notebook, provider.alice);

    await refused(redeem(provider, provider.notebook, code), 'invalid_grant');

    for (const tokens of [earlier, later]) {
      assert.equal(await isHonoured(provider, tokens.accessToken), false);
      await refused(refresh(provider, provider.notebook, tokens.refreshToken), 'invalid_grant');
    }
  });

  test('also after rotations', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    let tokens = await redeem(provider, provider.notebook, code);
    const accessTokens = [tokens.accessToken];
    for (let rotation = 0; rotation < 5; rotation += 1) {
      tokens = await refresh(provider, provider.notebook, tokens.refreshToken);
      accessTokens.push(tokens.accessToken);
    }

    await refused(redeem(provider, provider.notebook, code), 'invalid_grant');

    for (const accessToken of accessTokens) assert.equal(await isHonoured(provider, accessToken), false);
    await refused(refresh(provider, provider.notebook, tokens.refreshToken), 'invalid_grant');
  });

  for (const [name, age] of [
    ['the code has expired', 6 * MINUTE],
    ['the access token has expired', 2 * HOUR],
    ['300 days', 300 * DAY],
  ] as const) {
    test(`also after ${name}`, async () => {
      const code = await allow(provider, provider.notebook, provider.alice);
      let tokens = await redeem(provider, provider.notebook, code);
      for (let days = 0; days * DAY < age; days += 25) {
        provider.pass(Math.min(25 * DAY, age - days * DAY));
        tokens = await refresh(provider, provider.notebook, tokens.refreshToken);
      }
      assert.equal(await isHonoured(provider, tokens.accessToken), true);

      await refused(redeem(provider, provider.notebook, code), 'invalid_grant', /already used/);

      assert.equal(await isHonoured(provider, tokens.accessToken), false);
      await refused(refresh(provider, provider.notebook, tokens.refreshToken), 'invalid_grant');
    });
  }

  test('other members, other applications and personal tokens are unharmed', async () => {
    const ofBob = await signIn(provider, provider.notebook, provider.bob);
    const ofPocket = await signIn(provider, provider.pocket, provider.alice);
    const personal = await createPersonalToken(byServer(provider.server.clock), provider.server, {
      userId: provider.alice.userId,
      name: 'script',
      scopes: ['posts:read'],
      days: 90,
    });
    assert('text' in personal);
    const code = await allow(provider, provider.notebook, provider.alice);
    await redeem(provider, provider.notebook, code);

    await refused(redeem(provider, provider.notebook, code), 'invalid_grant');

    assert.equal(await isHonoured(provider, ofBob.accessToken), true);
    assert.equal(await isHonoured(provider, ofPocket.accessToken), true);
    assert.equal(await isHonoured(provider, personal.text), true);
    await assert.doesNotReject(refresh(provider, provider.notebook, ofBob.refreshToken));
    await assert.doesNotReject(refresh(provider, provider.pocket, ofPocket.refreshToken));
  });

  test('also every unredeemed code of that member for that application', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    await redeem(provider, provider.notebook, code);
    const waiting = await allow(provider, provider.notebook, provider.alice);
    const ofBob = await allow(provider, provider.notebook, provider.bob);
    const ofPocket = await allow(provider, provider.pocket, provider.alice);

    await refused(redeem(provider, provider.notebook, code), 'invalid_grant');

    await refused(redeem(provider, provider.notebook, waiting), 'invalid_grant', /was revoked/);
    await assert.doesNotReject(redeem(provider, provider.notebook, ofBob));
    await assert.doesNotReject(redeem(provider, provider.pocket, ofPocket));
  });

  test('by another application: invalid_grant, nothing else', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    const tokens = await redeem(provider, provider.notebook, code);
    const waiting = await allow(provider, provider.notebook, provider.alice);

    await refused(redeem(provider, provider.trap, code), 'invalid_grant', /not known/);
    await refused(redeem(provider, provider.pocket, code), 'invalid_grant', /not known/);

    assert.equal(await isHonoured(provider, tokens.accessToken), true);
    await assert.doesNotReject(refresh(provider, provider.notebook, tokens.refreshToken));
    await assert.doesNotReject(redeem(provider, provider.notebook, waiting));
  });

  test('with the right key and another secret: invalid_grant, nothing else', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    const tokens = await redeem(provider, provider.notebook, code);

    await refused(
      redeem(provider, provider.notebook, mintToken('code', 'svc', NEW_YEAR, code.slice(5, 27)).text),
      'invalid_grant',
    );

    assert.equal(await isHonoured(provider, tokens.accessToken), true);
  });

  test('when the tokens are already revoked it is invalid_grant too, each time', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    const tokens = await redeem(provider, provider.notebook, code);
    await revoke(provider, provider.notebook, tokens.refreshToken);

    await refused(redeem(provider, provider.notebook, code), 'invalid_grant', /already used/);
    await refused(redeem(provider, provider.notebook, code), 'invalid_grant', /already used/);
  });

  test('a sign-in after the replay stays valid', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);
    await redeem(provider, provider.notebook, code);
    await refused(redeem(provider, provider.notebook, code), 'invalid_grant');

    const later = await signIn(provider, provider.notebook, provider.alice);

    assert.equal(await isHonoured(provider, later.accessToken), true);
  });

  test('at the same time: at most one yields tokens, and they are revoked', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);

    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => redeem(provider, provider.notebook, code)),
    );

    const tokens = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    assert.equal(tokens.length, 1);
    for (const { accessToken, refreshToken } of tokens) {
      assert.equal(await isHonoured(provider, accessToken), false);
      await refused(refresh(provider, provider.notebook, refreshToken), 'invalid_grant');
    }
  });
});
