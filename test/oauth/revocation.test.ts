// Revoking a token (RFC 7009, contract §5).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { HOUR } from '../../src/lib/clock.ts';
import { Form } from '../../src/oauth/form.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import { checkRevocationForm } from '../../src/oauth/revocation.ts';
import { mintToken } from '../../src/oauth/token.ts';
import {
  allow,
  formOf,
  type House,
  isHonoured,
  NEW_YEAR,
  openHouse,
  redeem,
  refresh,
  refused,
  revoke,
  signIn,
} from './house.ts';

let house: House;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

for (const name of ['notebook', 'pocket'] as const) {
  describe(`an application revokes its own tokens: ${name}`, () => {
    test('an access token: that token alone dies', async () => {
      const first = await signIn(house, house[name], house.alice);
      const second = await refresh(house, house[name], first.refreshToken);

      await revoke(house, house[name], first.accessToken);

      assert.equal(await isHonoured(house, first.accessToken), false);
      assert.equal(await isHonoured(house, second.accessToken), true);
      await assert.doesNotReject(refresh(house, house[name], second.refreshToken));
    });

    test('a refresh token: the whole sign-in dies, and no other', async () => {
      const other = await signIn(house, house[name], house.alice);
      const ofBob = await signIn(house, house[name], house.bob);
      const first = await signIn(house, house[name], house.alice);
      const second = await refresh(house, house[name], first.refreshToken);

      await revoke(house, house[name], second.refreshToken);

      assert.equal(await isHonoured(house, first.accessToken), false);
      assert.equal(await isHonoured(house, second.accessToken), false);
      await refused(refresh(house, house[name], second.refreshToken), 'invalid_grant', /revoked/);
      await assert.doesNotReject(refresh(house, house[name], other.refreshToken));
      await assert.doesNotReject(refresh(house, house[name], ofBob.refreshToken));
    });

    test('an old refresh token: the whole sign-in dies as well', async () => {
      const first = await signIn(house, house[name], house.alice);
      const second = await refresh(house, house[name], first.refreshToken);

      await revoke(house, house[name], first.refreshToken);

      assert.equal(await isHonoured(house, second.accessToken), false);
      await refused(refresh(house, house[name], second.refreshToken), 'invalid_grant');
    });

    test('consent stays: the member is not asked again', async () => {
      const { refreshToken } = await signIn(house, house[name], house.alice);

      await revoke(house, house[name], refreshToken);

      const grant = await house.server.reads.findGrant(house.alice.userId, house[name].id);
      assert.equal(grant?.withdrawnAt, undefined);
      assert.deepEqual(grant?.scopes, ['profile:read', 'posts:read']);
    });
  });
}

describe('token_type_hint is only a hint', () => {
  for (const hint of ['access_token', 'refresh_token', 'id_token', 'nonsense', '']) {
    test(`${JSON.stringify(hint)}`, async () => {
      const first = await signIn(house, house.notebook, house.alice);
      const second = await signIn(house, house.notebook, house.alice);

      await revoke(house, house.notebook, first.accessToken, hint);
      await revoke(house, house.notebook, second.refreshToken, hint);

      assert.equal(await isHonoured(house, first.accessToken), false);
      assert.equal(await isHonoured(house, second.accessToken), false);
    });
  }
});

describe('what there is nothing to revoke of is no error', () => {
  test('a foreign token is untouched', async () => {
    const first = await signIn(house, house.notebook, house.alice);
    const second = await refresh(house, house.notebook, first.refreshToken);

    for (const thief of [house.trap, house.pocket]) {
      for (const token of [first.accessToken, first.refreshToken, second.accessToken, second.refreshToken]) {
        await revoke(house, thief, token);
      }
    }

    assert.equal(await isHonoured(house, first.accessToken), true);
    assert.equal(await isHonoured(house, second.accessToken), true);
    await assert.doesNotReject(refresh(house, house.notebook, second.refreshToken));
  });

  test('unknown, mutilated and made-up tokens change nothing', async () => {
    const tokens = await signIn(house, house.notebook, house.alice);
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

    for (const other of others) await revoke(house, house.notebook, other);

    assert.equal(await isHonoured(house, tokens.accessToken), true);
    await assert.doesNotReject(refresh(house, house.notebook, tokens.refreshToken));
  });

  test('dead tokens: revoked, expired, of a suspended account', async () => {
    const { accessToken, refreshToken } = await signIn(house, house.notebook, house.alice);
    await revoke(house, house.notebook, accessToken);
    await revoke(house, house.notebook, accessToken);
    await revoke(house, house.notebook, refreshToken);
    await revoke(house, house.notebook, refreshToken);
    house.pass(2 * HOUR);
    await revoke(house, house.notebook, accessToken);
    await house.setStatus(house.alice, 'suspended');
    await revoke(house, house.notebook, refreshToken);

    assert.equal(await isHonoured(house, accessToken), false);
  });

  test('a token revoked while the account is suspended stays dead when it is active again', async () => {
    const { accessToken, refreshToken } = await signIn(house, house.notebook, house.alice);
    await house.setStatus(house.alice, 'suspended');

    await revoke(house, house.notebook, refreshToken);

    await house.setStatus(house.alice, 'active');
    assert.equal(await isHonoured(house, accessToken), false);
    await refused(refresh(house, house.notebook, refreshToken), 'invalid_grant');
  });

  test('personal tokens are not touched', async () => {
    const personal = await createPersonalToken(house.server, {
      userId: house.alice.userId,
      name: 'script',
      scopes: ['posts:read'],
      days: 90,
    });
    assert('text' in personal);

    await revoke(house, house.notebook, personal.text);

    assert.equal(await isHonoured(house, personal.text), true);
  });

  test('codes are not touched', async () => {
    const code = await allow(house, house.notebook, house.alice);

    await revoke(house, house.notebook, code);

    await assert.doesNotReject(redeem(house, house.notebook, code));
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

test('when the store fails, so does the revocation', async () => {
  const { refreshToken, accessToken } = await signIn(house, house.notebook, house.alice);
  await house.database.close();

  await assert.rejects(revoke(house, house.notebook, refreshToken));
  await assert.rejects(revoke(house, house.notebook, accessToken));

  house = await openHouse();
});
