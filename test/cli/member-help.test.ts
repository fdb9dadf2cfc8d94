// Helping members at the command line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resetPassword } from '../../src/identity/password-reset.ts';
import { startSession } from '../../src/identity/session.ts';
import { signIn } from '../../src/identity/sign-in.ts';
import { withApp } from '../support/codes.ts';
import { PASSWORD, person } from '../support/people.ts';
import { type Cli, cliIn } from './run-cli.ts';

const NEW_PASSWORD = 'seven green bottles on a wall';
const HOME = '192.0.2.7';

async function lastAct(cli: Cli) {
  const [{ action, actor, subject, detail }] = (await cli.json(['audit', 'list', '--limit', '1'])).document
    .events;
  return { action, actor, subject: `${subject.kind}:${subject.id}`, detail };
}

test('A member without an address chooses a password with the link of user reset-link, operators too', async (t) => {
  const cli = await cliIn(t, { BASE_URL: 'https://agora.example' });
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  await cli.run(['user', 'set-operator', '--username', 'alice', '--operator', 'yes']);

  const { code, document } = await cli.json(['user', 'reset-link', '--username', 'alice']);

  assert.equal(code, 0);
  assert.deepEqual([document.id, document.username], [id, 'alice']);
  const [link, token = ''] =
    /^https:\/\/agora\.example\/reset-password\?token=(.+)$/.exec(document.link) ?? [];
  assert.ok(link);
  const done = await resetPassword(portico.identity, { token, password: NEW_PASSWORD, language: 'en' });
  assert.equal(done.outcome, 'done');
  const credentials = { username: 'alice', password: NEW_PASSWORD, address: HOME };
  assert.equal((await signIn(portico.identity, credentials)).outcome, 'signed_in');
  assert.deepEqual(await lastAct(cli), {
    action: 'user.reset_link',
    actor: null,
    subject: `user:${id}`,
    detail: {},
  });
});

test('user set-email sets an address at once, and removes it; user show tells whether it is confirmed', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  await person(portico, 'bob');
  const set = (username: string, email: string) =>
    cli.json(['user', 'set-email', '--username', username, '--email', email]);

  assert.deepEqual(await set('alice', 'alice@home.example'), {
    code: 0,
    document: { id, username: 'alice', email: 'alice@home.example' },
  });
  const shown = (await cli.json(['user', 'show', '--username', 'alice'])).document;
  assert.deepEqual([shown.email, shown.email_confirmed], ['alice@home.example', true]);
  const credentials = { username: 'alice@home.example', password: PASSWORD, address: HOME };
  assert.equal((await signIn(portico.identity, credentials)).outcome, 'signed_in');
  assert.deepEqual(await lastAct(cli), {
    action: 'user.set_email',
    actor: null,
    subject: `user:${id}`,
    detail: { address: 'set' },
  });

  for (const [email, error] of [
    ['nowhere', 'email_invalid'],
    ['ALICE@home.example', 'email_taken'],
  ] as const) {
    const { code, document } = await set('bob', email);
    assert.deepEqual([code, document.error.code], [1, error]);
  }
  assert.equal((await set('alice', 'none')).document.email, null);
  const after = (await cli.json(['user', 'show', '--username', 'alice'])).document;
  assert.deepEqual([after.email, after.email_confirmed], [null, false]);
});

test('user rename gives a member another name; the old one finds the member and is nobody else’s', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  await person(portico, 'bob');
  const rename = (username: string, to: string) =>
    cli.json(['user', 'rename', '--username', username, '--to', to]);

  const renamed = await rename('alice', 'Anna');

  assert.deepEqual(renamed.document, { id, username: 'Anna', earlier_username: 'alice' });
  const shown = (await cli.json(['user', 'show', '--username', 'alice'])).document;
  assert.deepEqual([shown.username, shown.earlier_usernames], ['Anna', ['alice']]);
  assert.equal((await rename('bob', 'alice')).document.error.code, 'username_taken');
  assert.equal((await rename('bob', 'no spaces')).document.error.code, 'username_characters');
  const creation = ['user', 'create', '--username', 'ALICE', '--password', NEW_PASSWORD];
  assert.equal((await cli.json(creation)).document.error.code, 'username_taken');
  assert.deepEqual((await lastAct(cli)).detail, { from: 'alice', to: 'Anna' });
});

test('user sign-out ends the sessions of a member', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  await startSession(portico.identity, id, { method: 'password', address: HOME });
  const browsers = async () =>
    (await cli.json(['user', 'show', '--username', 'alice'])).document.signed_in_browsers;
  assert.equal(await browsers(), 1);

  const { code, stdout } = await cli.run(['user', 'sign-out', '--username', 'alice']);

  assert.deepEqual([code, stdout], [0, 'alice was signed out everywhere.\n']);
  assert.equal(await browsers(), 0);
});

test('user reset-factors removes a lost second factor a day later, operators’ too', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const user = await person(portico, 'alice');
  await cli.run(['user', 'set-operator', '--username', 'alice', '--operator', 'yes']);
  const reset = () => cli.json(['user', 'reset-factors', '--username', 'alice']);

  const without = await reset();
  await withApp(portico.identity, user);
  const asked = await reset();
  const again = await reset();

  assert.deepEqual([without.code, without.document.error.code], [1, 'no_factor']);
  assert.equal(asked.code, 0);
  assert.deepEqual([asked.document.id, asked.document.username], [user.id, 'alice']);
  assert.equal(again.document.due, asked.document.due);
  const due = (await portico.identity.reads.findFactorReset(user.id))?.dueAt ?? 0;
  assert.equal(new Date(due).toISOString(), asked.document.due);
  assert.deepEqual(await lastAct(cli), {
    action: 'user.reset_factors',
    actor: null,
    subject: `user:${user.id}`,
    detail: {},
  });
});
