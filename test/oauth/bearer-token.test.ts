// The caller of the resource API (RFC 6750, spec §5.1).

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import type { User } from '../../src/identity/user.ts';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { authenticateBearer, readBearerToken, requireScope } from '../../src/oauth/bearer-token.ts';
import { activateClient, deactivateClient } from '../../src/oauth/client-status.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { assertRefused, NEW_YEAR } from './provider.ts';
import {
  allow,
  closeFixture,
  isHonoured,
  openFixture,
  personalToken,
  provider,
  redeem,
  revoke,
  signIn,
} from './token-fixture.ts';

describe('readBearerToken', () => {
  const SENT: [name: string, header: string, expected: string][] = [
    ['a token', 'Bearer svco_abc', 'svco_abc'],
    ['scheme in small letters', 'bearer svco_abc', 'svco_abc'],
    ['scheme in capitals', 'BEARER svco_abc', 'svco_abc'],
    ['scheme in mixed letters', 'bEaReR svco_abc', 'svco_abc'],
    ['several spaces', 'Bearer   svco_abc', 'svco_abc'],
    ['spaces at the end', 'Bearer svco_abc  ', 'svco_abc'],
    ['every character of RFC 6750 §2.1', 'Bearer aZ09-._~+/==', 'aZ09-._~+/=='],
  ];

  for (const [name, header, expected] of SENT) {
    test(`read: ${name}`, () => {
      assert.equal(readBearerToken(header), expected);
    });
  }

  const NOT_SENT: [name: string, header: string | undefined][] = [
    ['no header', undefined],
    ['empty header', ''],
    ['Basic', 'Basic YTpi'],
    ['a scheme that begins like it', 'Bearers abc'],
    ['a scheme that ends like it', 'XBearer abc'],
    ['DPoP', 'DPoP abc'],
    ['the token alone', 'svco_abc'],
    ['another scheme before it', 'Basic YTpi, Bearer abc'],
  ];

  for (const [name, header] of NOT_SENT) {
    test(`no bearer token was sent: ${name}`, () => {
      assert.equal(readBearerToken(header), undefined);
    });
  }

  const NOT_ONE: [name: string, header: string][] = [
    ['scheme alone', 'Bearer'],
    ['scheme and a space', 'Bearer '],
    ['two tokens', 'Bearer abc def'],
    ['two headers joined', 'Bearer abc, Bearer def'],
    ['two headers joined without a space', 'Bearer abc,Bearer def'],
    ['a comma at the end', 'Bearer abc,'],
    ['in quotation marks', 'Bearer "abc"'],
    ['as a parameter', 'Bearer token=abc'],
    ['a tab for the space', 'Bearer\tabc'],
    ['newline at the end', 'Bearer abc\n'],
    ['NUL', 'Bearer abc\0'],
    ['letter outside ASCII', 'Bearer abc\u00e9'],
    ['only padding', 'Bearer =='],
  ];

  for (const [name, header] of NOT_ONE) {
    test(`invalid_token: ${name}`, () => assertRefused(() => readBearerToken(header), 'invalid_token'));
  }

  test('64 kB are checked without delay', async () => {
    const startedAt = performance.now();

    await assertRefused(() => readBearerToken(`Bearer ${'a'.repeat(65_536)}!`), 'invalid_token');
    await assertRefused(() => readBearerToken(`Bearer ${' '.repeat(65_536)}!`), 'invalid_token');
    await assertRefused(() => readBearerToken(`Bearer a${'='.repeat(65_536)}!`), 'invalid_token');
    await assertRefused(() => readBearerToken(`Bearer a${' '.repeat(65_536)}!`), 'invalid_token');

    assert(performance.now() - startedAt < 1_000);
  });
});

describe('authenticateBearer', () => {
  function assertInvalid(token: string, words?: RegExp): Promise<void> {
    return assertRefused(async () => authenticateBearer(provider.server, token), 'invalid_token', words);
  }

  beforeEach(openFixture);
  afterEach(closeFixture);

  test('an access token reads for the member who allowed it, with the scopes that they allowed', async () => {
    const code = await allow(provider.notebook, provider.alice, { ticked: ['profile:read'] });
    const { accessToken } = await redeem(code);

    const principal = await authenticateBearer(provider.server, accessToken);

    assert.equal(principal.user.id, provider.alice.userId);
    assert.deepEqual(principal.scopes, ['profile:read']);
    assert.equal(principal.tokenKey.includes(accessToken), false);
  });

  test('requests are counted by token: two tokens never have the same key', async () => {
    const first = await signIn();
    const second = await signIn();

    const keys = await Promise.all(
      [first, first, second].map(
        async ({ accessToken }) => (await authenticateBearer(provider.server, accessToken)).tokenKey,
      ),
    );

    assert.equal(keys[0], keys[1]);
    assert.notEqual(keys[0], keys[2]);
  });

  test('an access token is valid for 3600 seconds (spec §5.3)', async () => {
    const { accessToken } = await signIn();

    provider.advance(1 * HOUR - 1);
    assert.equal(await isHonoured(accessToken), true);
    provider.advance(1);
    await assertInvalid(accessToken, /expired/);
  });

  for (const status of ['suspended', 'closed'] as const) {
    test(`tokens of a ${status} account are invalid (spec §3.4)`, async () => {
      const { accessToken } = await signIn();
      const personal = await personalToken();

      await provider.setStatus(provider.alice, status);

      await assertInvalid(accessToken, /was revoked/);
      await assertInvalid(personal, /was revoked/);
      if (status === 'closed') return;
      await provider.setStatus(provider.alice, 'active');
      assert.equal(await isHonoured(accessToken), true);
      assert.equal(await isHonoured(personal), true);
    });
  }

  test('tokens of a deactivated application are invalid until it is activated again', async () => {
    const { accessToken } = await signIn();
    const other = await signIn(provider.pocket);

    await deactivateClient(byServer(provider.server.clock), provider.server, provider.notebook.id);

    await assertInvalid(accessToken, /deactivated/);
    assert.equal(await isHonoured(other.accessToken), true);
    await activateClient(byServer(provider.server.clock), provider.server, provider.notebook.id);
    assert.equal(await isHonoured(accessToken), true);
  });

  test('a revoked access token is invalid', async () => {
    const { accessToken } = await signIn();

    await revoke(accessToken);

    await assertInvalid(accessToken, /revoked/);
  });

  test('any other credential, and any other text, is invalid', async () => {
    const tokens = await signIn();
    const code = await allow();
    const record = await provider.server.reads.findAccessToken(tokens.accessToken.slice(5, 27));
    assert(record);

    const others = {
      'refresh token': tokens.refreshToken,
      code,
      'secret of an application': mintToken('clientSecret', 'svc', NEW_YEAR).text,
      'unknown access token': mintToken('access', 'svc', NEW_YEAR).text,
      'unknown personal token': mintToken('personal', 'svc', NEW_YEAR).text,
      'access token with the right key and another secret': mintToken('access', 'svc', NEW_YEAR, record.key)
        .text,
      'access token cut short': tokens.accessToken.slice(0, -1),
      'access token with a letter added': `${tokens.accessToken}a`,
      'access token in the other case': tokens.accessToken.toUpperCase(),
      'access token of another brand': mintToken('access', 'agora', NEW_YEAR).text,
      id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      nothing: '',
    };

    for (const text of Object.values(others)) {
      await assertInvalid(text);
    }
    assert.equal(await isHonoured(tokens.accessToken), true);
  });

  test('the last use of a personal token is recorded to the minute', async () => {
    const personal = await personalToken();
    const lastUse = async () => {
      // The server stores the time after its answer. This write comes after that one.
      await provider.server.writes.revokePersonalToken(byServer(provider.server.clock), -1);
      const [token] = await provider.server.reads.personalTokensOf(provider.alice.userId);
      return token?.lastUsedAt;
    };
    assert.equal(await lastUse(), undefined);

    await authenticateBearer(provider.server, personal);
    assert.equal(await lastUse(), NEW_YEAR);

    provider.advance(1 * MINUTE - 1);
    await authenticateBearer(provider.server, personal);
    assert.equal(await lastUse(), NEW_YEAR);

    provider.advance(1);
    await authenticateBearer(provider.server, personal);
    assert.equal(await lastUse(), NEW_YEAR + 1 * MINUTE);
  });

  test('reading still works when the last use cannot be recorded', async () => {
    const personal = await personalToken();
    const touchPersonalToken = () => Promise.reject(new Error('disk full'));
    const server = { ...provider.server, writes: { ...provider.server.writes, touchPersonalToken } };

    const principal = await authenticateBearer(server, personal);

    assert.equal(principal.user.id, provider.alice.userId);
  });
});

const ALICE: User = {
  id: 1,
  username: 'alice',
  email: undefined,
  bio: '',
  avatar: undefined,
  status: 'active',
  isOperator: false,
  isModerator: false,
  hasFactor: false,
  memberUntil: undefined,
  xp: 0,
  keepsDiary: true,
  diarySince: undefined,
  createdAt: NEW_YEAR,
};

describe('requireScope', () => {
  const caller = {
    user: ALICE,
    tokenKey: 'k',
    clientId: 'notebook',
    source: 'f',
    digest: 'd',
    checkedAt: NEW_YEAR,
  };

  test('a scope that the token has is enough', () => {
    requireScope({ ...caller, scopes: ['profile:read', 'posts:read'] }, 'posts:read');
  });

  test('a scope that it lacks is insufficient_scope, and the answer names it', async () => {
    await assertRefused(
      () => requireScope({ ...caller, scopes: ['profile:read'] }, 'posts:read'),
      'insufficient_scope',
      /^The token lacks the scope posts:read; it has profile:read\.$/,
    );
    await assertRefused(
      () => requireScope({ ...caller, scopes: [] }, 'posts:read'),
      'insufficient_scope',
      /it has none\.$/,
    );
  });
});
