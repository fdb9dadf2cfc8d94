// Revoking a token (RFC 7009, contract §5).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { HOUR } from '../../src/lib/clock.ts';
import { Form } from '../../src/oauth/form.ts';
import { checkRevocationForm } from '../../src/oauth/revocation.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { assertRefused, formOf, NEW_YEAR } from './provider.ts';
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

for (const name of ['notebook', 'pocket'] as const) {
  describe(`an application revokes its own tokens: ${name}`, () => {
    test('an access token: only that token is revoked', async () => {
      const first = await signIn(provider[name]);
      const second = await refresh(first.refreshToken, provider[name]);

      await revoke(first.accessToken, provider[name]);

      assert.equal(await isHonoured(first.accessToken), false);
      assert.equal(await isHonoured(second.accessToken), true);
      await assert.doesNotReject(refresh(second.refreshToken, provider[name]));
    });

    test('a refresh token: the whole sign-in ends, and no other', async () => {
      const other = await signIn(provider[name]);
      const ofBob = await signIn(provider[name], provider.bob);
      const first = await signIn(provider[name]);
      const second = await refresh(first.refreshToken, provider[name]);

      await revoke(second.refreshToken, provider[name]);

      assert.equal(await isHonoured(first.accessToken), false);
      assert.equal(await isHonoured(second.accessToken), false);
      await assertRefused(refresh(second.refreshToken, provider[name]), 'invalid_grant', /revoked/);
      await assert.doesNotReject(refresh(other.refreshToken, provider[name]));
      await assert.doesNotReject(refresh(ofBob.refreshToken, provider[name]));
    });

    test('an old refresh token: the whole sign-in ends, too', async () => {
      const first = await signIn(provider[name]);
      const second = await refresh(first.refreshToken, provider[name]);

      await revoke(first.refreshToken, provider[name]);

      assert.equal(await isHonoured(second.accessToken), false);
      await assertRefused(refresh(second.refreshToken, provider[name]), 'invalid_grant');
    });

    test('consent stays: the member is not asked again', async () => {
      const { refreshToken } = await signIn(provider[name]);

      await revoke(refreshToken, provider[name]);

      const grant = await provider.server.reads.findGrant(
        provider.alice.userId,
        provider[name].id,
        provider.server.clock(),
      );
      assert.equal(grant?.withdrawnAt, undefined);
      assert.deepEqual(grant?.scopes, ['profile:read', 'posts:read']);
    });
  });
}

describe('token_type_hint is only a hint', () => {
  for (const hint of ['access_token', 'refresh_token', 'id_token', 'nonsense', '']) {
    test(`${JSON.stringify(hint)}`, async () => {
      const first = await signIn();
      const second = await signIn();

      await revoke(first.accessToken, provider.notebook, hint);
      await revoke(second.refreshToken, provider.notebook, hint);

      assert.equal(await isHonoured(first.accessToken), false);
      assert.equal(await isHonoured(second.accessToken), false);
    });
  }
});

describe('a token that cannot be revoked is not an error', () => {
  test('the token of another application stays valid', async () => {
    const first = await signIn();
    const second = await refresh(first.refreshToken);

    for (const thief of [provider.trap, provider.pocket]) {
      for (const token of [first.accessToken, first.refreshToken, second.accessToken, second.refreshToken]) {
        await revoke(token, thief);
      }
    }

    assert.equal(await isHonoured(first.accessToken), true);
    assert.equal(await isHonoured(second.accessToken), true);
    await assert.doesNotReject(refresh(second.refreshToken));
  });

  test('unknown, damaged and invented tokens change nothing', async () => {
    const tokens = await signIn();
    const others = [
      mintToken('access', 'svc', NEW_YEAR).text,
      mintToken('refresh', 'svc', NEW_YEAR).text,
      mintToken('access', 'svc', NEW_YEAR, tokens.accessToken.slice(5, 27)).text,
      tokens.accessToken.slice(0, -1),
      `${tokens.refreshToken}a`,
      tokens.refreshToken.toUpperCase(),
      'nonsense',
      ' ',
    ];

    for (const other of others) await revoke(other);

    assert.equal(await isHonoured(tokens.accessToken), true);
    await assert.doesNotReject(refresh(tokens.refreshToken));
  });

  test('tokens that are invalid already: revoked, expired, of a suspended account', async () => {
    const { accessToken, refreshToken } = await signIn();
    await revoke(accessToken);
    await revoke(accessToken);
    await revoke(refreshToken);
    await revoke(refreshToken);
    provider.advance(2 * HOUR);
    await revoke(accessToken);
    await provider.setStatus(provider.alice, 'suspended');
    await revoke(refreshToken);

    assert.equal(await isHonoured(accessToken), false);
  });

  test('a token that is revoked while the account is suspended stays revoked when it is active again', async () => {
    const { accessToken, refreshToken } = await signIn();
    await provider.setStatus(provider.alice, 'suspended');

    await revoke(refreshToken);

    await provider.setStatus(provider.alice, 'active');
    assert.equal(await isHonoured(accessToken), false);
    await assertRefused(refresh(refreshToken), 'invalid_grant');
  });

  test('personal tokens are not touched', async () => {
    const personal = await personalToken();

    await revoke(personal);

    assert.equal(await isHonoured(personal), true);
  });

  test('codes are not touched', async () => {
    const code = await allow();

    await revoke(code);

    await assert.doesNotReject(redeem(code));
  });
});

describe('checkRevocationForm', () => {
  test('token missing, empty or given twice: invalid_request', async () => {
    await assertRefused(() => checkRevocationForm(formOf({})), 'invalid_request', /token is missing/);
    await assertRefused(
      () => checkRevocationForm(formOf({ token: '' })),
      'invalid_request',
      /token is missing/,
    );
    for (const pairs of [
      [
        ['token', 'a'],
        ['token', 'a'],
      ],
      [
        ['token', 'a'],
        ['token', ''],
      ],
      [
        ['token', 'a'],
        ['client_id', 'x'],
        ['client_id', 'y'],
      ],
    ] as [string, string][][]) {
      await assertRefused(() => checkRevocationForm(new Form(pairs)), 'invalid_request', /more than once/);
    }
  });

  test('token alone is enough', () => {
    checkRevocationForm(formOf({ token: 'a' }));
  });
});

test('when storage fails, so does the revocation', async () => {
  const { refreshToken, accessToken } = await signIn();
  await provider.database.close();

  await assert.rejects(revoke(refreshToken));
  await assert.rejects(revoke(accessToken));

  await openFixture();
});
