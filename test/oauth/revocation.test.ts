// Revoking a token (RFC 7009, contract §5).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { Form } from '../../src/oauth/form.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import { checkRevocationForm } from '../../src/oauth/revocation.ts';
import { mintToken } from '../../src/oauth/token.ts';
import {
  allow,
  formOf,
  isHonoured,
  NEW_YEAR,
  openProvider,
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

for (const name of ['notebook', 'pocket'] as const) {
  describe(`an application revokes its own tokens: ${name}`, () => {
    test('an access token: that token alone dies', async () => {
      const first = await signIn(provider, provider[name], provider.alice);
      const second = await refresh(provider, provider[name], first.refreshToken);

      await revoke(provider, provider[name], first.accessToken);

      assert.equal(await isHonoured(provider, first.accessToken), false);
      assert.equal(await isHonoured(provider, second.accessToken), true);
      await assert.doesNotReject(refresh(provider, provider[name], second.refreshToken));
    });

    test('a refresh token: the whole sign-in dies, and no other', async () => {
      const other = await signIn(provider, provider[name], provider.alice);
      const ofBob = await signIn(provider, provider[name], provider.bob);
      const first = await signIn(provider, provider[name], provider.alice);
      const second = await refresh(provider, provider[name], first.refreshToken);

      await revoke(provider, provider[name], second.refreshToken);

      assert.equal(await isHonoured(provider, first.accessToken), false);
      assert.equal(await isHonoured(provider, second.accessToken), false);
      await refused(refresh(provider, provider[name], second.refreshToken), 'invalid_grant', /revoked/);
      await assert.doesNotReject(refresh(provider, provider[name], other.refreshToken));
      await assert.doesNotReject(refresh(provider, provider[name], ofBob.refreshToken));
    });

    test('an old refresh token: the whole sign-in dies as well', async () => {
      const first = await signIn(provider, provider[name], provider.alice);
      const second = await refresh(provider, provider[name], first.refreshToken);

      await revoke(provider, provider[name], first.refreshToken);

      assert.equal(await isHonoured(provider, second.accessToken), false);
      await refused(refresh(provider, provider[name], second.refreshToken), 'invalid_grant');
    });

    test('consent stays: the member is not asked again', async () => {
      const { refreshToken } = await signIn(provider, provider[name], provider.alice);

      await revoke(provider, provider[name], refreshToken);

      const grant = await provider.server.reads.findGrant(provider.alice.userId, provider[name].id);
      assert.equal(grant?.withdrawnAt, undefined);
      assert.deepEqual(grant?.scopes, ['profile:read', 'posts:read']);
    });
  });
}

describe('token_type_hint is only a hint', () => {
  for (const hint of ['access_token', 'refresh_token', 'id_token', 'nonsense', '']) {
    test(`${JSON.stringify(hint)}`, async () => {
      const first = await signIn(provider, provider.notebook, provider.alice);
      const second = await signIn(provider, provider.notebook, provider.alice);

      await revoke(provider, provider.notebook, first.accessToken, hint);
      await revoke(provider, provider.notebook, second.refreshToken, hint);

      assert.equal(await isHonoured(provider, first.accessToken), false);
      assert.equal(await isHonoured(provider, second.accessToken), false);
    });
  }
});

describe('a token that cannot be revoked is no error', () => {
  test('a foreign token is untouched', async () => {
    const first = await signIn(provider, provider.notebook, provider.alice);
    const second = await refresh(provider, provider.notebook, first.refreshToken);

    for (const thief of [provider.trap, provider.pocket]) {
      for (const token of [first.accessToken, first.refreshToken, second.accessToken, second.refreshToken]) {
        await revoke(provider, thief, token);
      }
    }

    assert.equal(await isHonoured(provider, first.accessToken), true);
    assert.equal(await isHonoured(provider, second.accessToken), true);
    await assert.doesNotReject(refresh(provider, provider.notebook, second.refreshToken));
  });

  test('unknown, mutilated and made-up tokens change nothing', async () => {
    const tokens = await signIn(provider, provider.notebook, provider.alice);
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

    for (const other of others) await revoke(provider, provider.notebook, other);

    assert.equal(await isHonoured(provider, tokens.accessToken), true);
    await assert.doesNotReject(refresh(provider, provider.notebook, tokens.refreshToken));
  });

  test('dead tokens: revoked, expired, of a suspended account', async () => {
    const { accessToken, refreshToken } = await signIn(provider, provider.notebook, provider.alice);
    await revoke(provider, provider.notebook, accessToken);
    await revoke(provider, provider.notebook, accessToken);
    await revoke(provider, provider.notebook, refreshToken);
    await revoke(provider, provider.notebook, refreshToken);
    provider.pass(2 * HOUR);
    await revoke(provider, provider.notebook, accessToken);
    await provider.setStatus(provider.alice, 'suspended');
    await revoke(provider, provider.notebook, refreshToken);

    assert.equal(await isHonoured(provider, accessToken), false);
  });

  test('a token that is revoked while the account is suspended stays revoked when it is active again', async () => {
    const { accessToken, refreshToken } = await signIn(provider, provider.notebook, provider.alice);
    await provider.setStatus(provider.alice, 'suspended');

    await revoke(provider, provider.notebook, refreshToken);

    await provider.setStatus(provider.alice, 'active');
    assert.equal(await isHonoured(provider, accessToken), false);
    await refused(refresh(provider, provider.notebook, refreshToken), 'invalid_grant');
  });

  test('personal tokens are not touched', async () => {
    const personal = await createPersonalToken(provider.server, byServer(provider.server.clock), {
      userId: provider.alice.userId,
      name: 'script',
      scopes: ['posts:read'],
      days: 90,
    });
    assert('text' in personal);

    await revoke(provider, provider.notebook, personal.text);

    assert.equal(await isHonoured(provider, personal.text), true);
  });

  test('codes are not touched', async () => {
    const code = await allow(provider, provider.notebook, provider.alice);

    await revoke(provider, provider.notebook, code);

    await assert.doesNotReject(redeem(provider, provider.notebook, code));
  });
});

describe('checkRevocationForm', () => {
  test('token missing, empty or given twice: invalid_request', async () => {
    await refused(() => checkRevocationForm(formOf({})), 'invalid_request', /token is missing/);
    await refused(() => checkRevocationForm(formOf({ token: '' })), 'invalid_request', /token is missing/);
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
      await refused(() => checkRevocationForm(new Form(pairs)), 'invalid_request', /more than once/);
    }
  });

  test('token alone is enough', () => {
    checkRevocationForm(formOf({ token: 'a' }));
  });
});

test('when storage fails, so does the revocation', async () => {
  const { refreshToken, accessToken } = await signIn(provider, provider.notebook, provider.alice);
  await provider.database.close();

  await assert.rejects(revoke(provider, provider.notebook, refreshToken));
  await assert.rejects(revoke(provider, provider.notebook, accessToken));

  provider = await openProvider();
});
