import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMember, byServer } from '../../src/audit/doer.ts';
import type { Portico } from '../../src/compose.ts';
import { DAY } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { notebook, type Person, person } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

test('token create makes a personal token that is honoured at once and lives 90 days', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');

  const { code, document } = await cli.json([
    ...['token', 'create', '--username', 'alice', '--name', 'laptop', '--scope', 'profile:read posts:read'],
  ]);

  assert.equal(code, 0);
  assert.deepEqual(Object.keys(document), ['id', 'token']);
  const principal = await authenticateBearer(portico.oauth, document.token);
  assert.equal(principal.user.id, alice.id);
  assert.deepEqual(principal.scopes, ['profile:read', 'posts:read']);
  const [token] = await portico.oauth.reads.personalTokensOf(alice.id);
  assert.deepEqual([token?.id, token?.name], [document.id, 'laptop']);
  assert.equal((token?.expiresAt ?? 0) - (token?.createdAt ?? 0), 90 * DAY);
});

test('token create --days sets the lifetime, within what is allowed', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const alice = await person(portico, 'alice');
  const create = ['token', 'create', '--username', 'alice', '--name', 'laptop', '--scope', 'posts:read'];

  const week = await cli.json([...create, '--days', '7']);
  const zero = await cli.json([...create, '--days', '0']);
  const some = await cli.json([...create, '--days', 'some']);

  const [token] = await portico.oauth.reads.personalTokensOf(alice.id);
  assert.equal(week.code, 0);
  assert.equal((token?.expiresAt ?? 0) - (token?.createdAt ?? 0), 7 * DAY);
  assert.deepEqual([zero.code, zero.document.error.code], [1, 'token_days']);
  assert.deepEqual([some.code, some.document.error.code], [2, 'wrong_usage']);
});

test('token create knows the scopes, and suggests the one that was meant', async (t) => {
  const cli = await cliIn(t);

  const { code, stderr } = await cli.run([
    ...['token', 'create', '--username', 'alice', '--name', 'laptop', '--scope', 'post:read'],
  ]);

  assert.equal(code, 2);
  assert.match(stderr, /--scope must be one of profile:read, posts:read\. Did you mean posts:read\?/);
});

test('token revoke --token ends a personal token at once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { text } = await personalToken(portico, await person(portico, 'alice'));

  const { code, document } = await cli.json(['token', 'revoke', '--token', text]);

  assert.deepEqual([code, document], [0, { revoked: 'personal' }]);
  await assert.rejects(async () => authenticateBearer(portico.oauth, text), { code: 'invalid_token' });
});

test('token revoke --token - reads the token from standard input', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { text } = await personalToken(portico, await person(portico, 'alice'));

  const { stdout } = await cli.run(['token', 'revoke', '--token', '-'], `${text}\n`);

  assert.equal(stdout, 'Revoked the API token.\n');
});

test('token revoke --id ends a personal token by its number, once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id, text } = await personalToken(portico, await person(portico, 'alice'));

  const first = await cli.json(['token', 'revoke', '--id', String(id)]);
  const second = await cli.json(['token', 'revoke', '--id', String(id)]);

  assert.deepEqual([first.code, first.document], [0, { revoked: 'personal', id }]);
  assert.deepEqual([second.code, second.document.error.code], [1, 'token_not_found']);
  await assert.rejects(async () => authenticateBearer(portico.oauth, text), { code: 'invalid_token' });
});

test('token revoke ends an access token alone, and with a refresh token the whole sign-in', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { reads } = portico.oauth;
  const { refresh, access, other } = await signedIn(portico, await person(portico, 'alice'));

  const one = await cli.json(['token', 'revoke', '--token', access.text]);
  const familyAfterOne = await reads.findTokenFamily(refresh.key);
  const whole = await cli.json(['token', 'revoke', '--token', refresh.text]);

  assert.deepEqual(one, { code: 0, document: { revoked: 'access' } });
  await assert.rejects(async () => authenticateBearer(portico.oauth, access.text), { code: 'invalid_token' });
  assert.equal(familyAfterOne?.revokedAt, undefined);
  assert.deepEqual(whole, { code: 0, document: { revoked: 'refresh' } });
  await assert.rejects(async () => authenticateBearer(portico.oauth, other.text), { code: 'invalid_token' });
});

test('token revoke says so when it does not know the token', async (t) => {
  const cli = await cliIn(t);
  const unknown = mintToken('access', 'svc', 1_800_000_000_000).text;

  const never = await cli.json(['token', 'revoke', '--token', unknown]);
  const none = await cli.json(['token', 'revoke', '--token', 'svcp_typo']);

  assert.deepEqual([never.code, never.document.error.code], [1, 'token_not_found']);
  assert.deepEqual([none.code, none.document.error.code], [1, 'token_not_found']);
});

test('token revoke wants a token or a number, and not both', async (t) => {
  const cli = await cliIn(t);

  const neither = await cli.json(['token', 'revoke']);
  const both = await cli.json(['token', 'revoke', '--token', 'svcp_x', '--id', '1']);

  assert.deepEqual([neither.code, both.code], [2, 2]);
});

async function personalToken(
  portico: Portico,
  { id: userId }: Person,
): Promise<{ id: number; text: string }> {
  const result = await createPersonalToken(byServer(portico.clock), portico.oauth, {
    userId,
    name: 'laptop',
    scopes: ['posts:read'],
    days: 7,
  });
  if ('problem' in result) throw new Error(result.problem);
  return result;
}

/** A sign-in to `notebook` with a refresh token and two access tokens. */
async function signedIn(portico: Portico, { id: userId }: Person) {
  const { writes, clock, brand } = portico.oauth;
  const { id: clientId, redirectUri } = await notebook(portico);
  const now = clock();
  const scopes = ['profile:read'] as const;
  const [code, refresh, access, next, other] = [
    mintToken('code', brand, now),
    mintToken('refresh', brand, now),
    mintToken('access', brand, now),
    mintToken('refresh', brand, now),
    mintToken('access', brand, now),
  ];
  const record = {
    ...{ key: code.key, digest: code.digest, clientId, userId, redirectUri, scopes },
    ...{ codeChallenge: undefined, nonce: undefined, authenticatedAt: now, expiresAt: now + DAY },
  };
  await writes.approve(byMember({ id: userId }, clock), [], scopes, record);
  const family = {
    ...{ key: refresh.key, clientId, userId, scopes, nonce: undefined, authenticatedAt: now },
    ...{ refreshDigest: refresh.digest, refreshExpiresAt: now + DAY, issuedAt: now, expiresAt: now + DAY },
  };
  const accessRecord = { familyKey: refresh.key, scopes, expiresAt: now + DAY };
  await writes.redeem(
    { ...record, redeemedAt: undefined, voidedAt: undefined, accountStatus: 'active' },
    family,
    { ...accessRecord, key: access.key, digest: access.digest },
    now,
  );
  await writes.rotate(
    {
      ...{ familyKey: refresh.key, presentedDigest: refresh.digest, nextDigest: next.digest },
      ...{ refreshExpiresAt: now + DAY, at: now, raceSince: undefined },
    },
    { ...accessRecord, key: other.key, digest: other.digest },
  );
  return { refresh, access, other };
}
