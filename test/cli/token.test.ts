import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Portico } from '../../src/compose.ts';
import { DAY } from '../../src/lib/clock.ts';
import { authenticateBearer } from '../../src/oauth/bearer-token.ts';
import { Form } from '../../src/oauth/form.ts';
import { rotateRefreshToken } from '../../src/oauth/refresh-token.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { notebook, person } from '../support/people.ts';
import { addPersonalToken, addSignIn } from '../support/seeding.ts';
import { cliIn } from './run-cli.ts';

test('token create creates an API token that works at once and is valid for 90 days', async (t) => {
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

test('token create --days sets the lifetime, within limits', async (t) => {
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

test('token create suggests a scope for one that is misspelled', async (t) => {
  const cli = await cliIn(t);

  const { code, stderr } = await cli.run([
    ...['token', 'create', '--username', 'alice', '--name', 'laptop', '--scope', 'post:read'],
  ]);

  assert.equal(code, 2);
  assert.match(
    stderr,
    /--scope must be one of profile:read, posts:read, not "post:read"\. Did you mean posts:read\?/,
  );
});

test('token revoke --token revokes an API token at once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { text } = await addPersonalToken(portico, (await person(portico, 'alice')).id);

  const { code, document } = await cli.json(['token', 'revoke', '--token', text]);

  assert.deepEqual([code, document], [0, { revoked: 'personal' }]);
  await assert.rejects(async () => authenticateBearer(portico.oauth, text), { code: 'invalid_token' });
});

test('token revoke --token - reads the token from standard input', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { text } = await addPersonalToken(portico, (await person(portico, 'alice')).id);

  const { stdout } = await cli.run(['token', 'revoke', '--token', '-'], `${text}\n`);

  assert.equal(stdout, 'Revoked the API token.\n');
});

test('token revoke --id revokes an API token by its id, once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id, text } = await addPersonalToken(portico, (await person(portico, 'alice')).id);

  const first = await cli.json(['token', 'revoke', '--id', String(id)]);
  const second = await cli.json(['token', 'revoke', '--id', String(id)]);

  assert.deepEqual([first.code, first.document], [0, { revoked: 'personal', id }]);
  assert.deepEqual([second.code, second.document.error.code], [1, 'token_not_found']);
  await assert.rejects(async () => authenticateBearer(portico.oauth, text), { code: 'invalid_token' });
});

test('token revoke revokes an access token alone, but ends the whole sign-in of a refresh token', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  const { access, refresh, other } = await signIn(portico, id);

  const one = await cli.json(['token', 'revoke', '--token', access]);
  const otherPrincipal = await authenticateBearer(portico.oauth, other);
  const whole = await cli.json(['token', 'revoke', '--token', refresh]);

  assert.deepEqual(one, { code: 0, document: { revoked: 'access' } });
  await assert.rejects(async () => authenticateBearer(portico.oauth, access), { code: 'invalid_token' });
  assert.equal(otherPrincipal.user.id, id);
  assert.deepEqual(whole, { code: 0, document: { revoked: 'refresh' } });
  await assert.rejects(async () => authenticateBearer(portico.oauth, other), { code: 'invalid_token' });
});

test('token revoke fails for an unknown token', async (t) => {
  const cli = await cliIn(t);
  const unknown = mintToken('access', 'svc', 1_800_000_000_000).text;

  const never = await cli.json(['token', 'revoke', '--token', unknown]);
  const none = await cli.json(['token', 'revoke', '--token', 'svcp_typo']);

  assert.deepEqual([never.code, never.document.error.code], [1, 'token_not_found']);
  assert.deepEqual([none.code, none.document.error.code], [1, 'token_not_found']);
});

test('token revoke needs a token or an id, and not both', async (t) => {
  const cli = await cliIn(t);

  const neither = await cli.json(['token', 'revoke']);
  const both = await cli.json(['token', 'revoke', '--token', 'svcp_x', '--id', '1']);

  assert.deepEqual([neither.code, both.code], [2, 2]);
});

/** Sign a member in to an application and refresh once: a refresh token that is spent, and two access tokens. */
async function signIn(portico: Portico, userId: number) {
  const application = await notebook(portico);
  const { access, refresh } = await addSignIn(portico, application, userId);
  const client = await portico.oauth.reads.findClient(application.id);
  assert.ok(client);
  const form = new Form([['refresh_token', refresh]]);
  const { accessToken: other } = await rotateRefreshToken(portico.oauth, client, form);
  return { access, refresh, other };
}
