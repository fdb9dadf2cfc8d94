// The box that tells what a token is.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mintToken } from '../../../src/oauth/token.ts';
import { openApp } from '../../support/app.ts';
import { type Member, member, notebook } from '../../support/people.ts';
import { addPersonalToken, addSignIn } from '../../support/seeding.ts';

const PATH = '/settings/tokens';
const app = await openApp();
const { portico } = app;
after(() => app.close());
const [alice, bob] = [await member(app, 'alice'), await member(app, 'bob')];

/** Test a text. Returns the facts on the page, in their order. */
async function facts({ browser }: Member, text: string): Promise<string[]> {
  const answer = await browser.submit(await browser.read(PATH), `${PATH}/test`, { test_token: text });
  const page = await answer.text();
  assert.equal(answer.status, 200);
  if (text.length > 20) assert.ok(!page.includes(text), 'the token is shown again');
  const list = /<section class="card" role="status">([\s\S]*?)<\/section>/.exec(page)?.[1] ?? '';
  const values = [...list.matchAll(/<(?:dd|p)>([\s\S]*?)<\/(?:dd|p)>/g)];
  return values.map(([, value = '']) =>
    value
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

test('A member’s own API token is told with its name, scopes, end and last use', async () => {
  const { text } = await addPersonalToken(portico, alice.id);

  const [kind, checksum, owner, name, state, scopes, expires, used] = await facts(alice, ` ${text}\n`);

  assert.equal(kind, 'API token');
  assert.match(checksum ?? '', /^Right/);
  assert.deepEqual([owner, name, state, scopes], ['You', 'laptop', 'Works', 'profile:read, posts:read']);
  assert.match(expires ?? '', /20\d\d/);
  assert.equal(used, 'Never');
});

test('Of another member’s token and of an unknown one only the kind is told', async () => {
  const { text } = await addPersonalToken(portico, alice.id);
  const unknown = mintToken('personal', 'svc', app.clock.now).text;

  const foreign = await facts(bob, text);

  assert.deepEqual(foreign, ['API token', 'Right: nothing was cut off or mistyped', 'Not yours']);
  assert.deepEqual(await facts(bob, unknown), foreign);
});

test('A token that was cut short or mistyped has a wrong checksum', async () => {
  const { text } = await addPersonalToken(portico, alice.id);
  const other = text[20] === 'x' ? 'y' : 'x';

  for (const wrong of [text.slice(0, -1), `${text.slice(0, 20)}${other}${text.slice(21)}`]) {
    assert.deepEqual(await facts(alice, wrong), ['API token', 'Wrong: it was cut off, mistyped or invented']);
  }
});

test('Tokens and secrets of applications are told to the member whom they belong to', async () => {
  const client = await notebook(portico, { ownerId: bob.id });
  const { access, refresh } = await addSignIn(portico, client, alice.id);

  assert.equal((await facts(alice, access))[0], 'Access token of an application');
  assert.equal((await facts(alice, access))[2], 'You');
  assert.deepEqual((await facts(alice, refresh)).slice(0, 4), [
    'Refresh token of an application',
    'Right: nothing was cut off or mistyped',
    'You',
    'Works',
  ]);
  assert.deepEqual((await facts(bob, client.secret)).slice(2), ['You', 'Notebook', 'Works']);
  assert.equal((await facts(alice, client.secret))[2], 'Not yours');
});

test('Anything else is no token of this site', async () => {
  assert.match(
    (await facts(alice, 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'))[0] ?? '',
    /^This isn’t a token of this site/,
  );
  assert.match((await facts(alice, ''))[0] ?? '', /^This isn’t a token of this site/);
});

test('Looking at a token changes nothing: it is not used, and not revoked', async () => {
  const { text, id } = await addPersonalToken(portico, alice.id);

  await facts(alice, text);
  await facts(bob, text);

  const [token] = (await portico.oauth.reads.personalTokensOf(alice.id)).filter((one) => one.id === id);
  assert.deepEqual([token?.lastUsedAt, token?.revokedAt], [undefined, undefined]);
});
