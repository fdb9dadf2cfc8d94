// The security events from the command line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { person } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

test('security list tells what happened, newest first, also of one member or one kind alone', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await person(portico, 'alice');
  await person(portico, 'bob');
  const { document: client } = await cli.json([
    ...['client', 'create', '--name', 'Notebook', '--type', 'confidential', '--owner', 'bob'],
    ...['--redirect-uri', 'https://notebook.example/cb'],
  ]);
  const rotated = await cli.json(['client', 'rotate-secret', '--client-id', client.client_id]);
  const token = await cli.json([
    ...['token', 'create', '--username', 'alice', '--name', 'laptop', '--scope', 'posts:read'],
  ]);
  await cli.run(['token', 'revoke', '--token', token.document.token]);
  await cli.run(['user', 'set-status', '--username', 'alice', '--status', 'suspended']);

  const all = await cli.json(['security', 'list']);
  const own = await cli.json(['security', 'list', '--username', 'ALICE', '--limit', '2']);
  const older = await cli.json(['security', 'list', '--before', String(own.document.events[1].id)]);
  const reports = await cli.json(['security', 'list', '--event', 'token_reported']);
  const text = await cli.run(['security', 'list', '--limit', '1']);

  const names = ({ document }: typeof all) => document.events.map(({ event }: { event: string }) => event);
  assert.deepEqual(names(all), [
    'account_status_changed',
    'token_reported',
    'api_token_revoked',
    'api_token_created',
    'client_secret_rotated',
  ]);
  assert.deepEqual(names(own), ['account_status_changed', 'token_reported']);
  assert.deepEqual(names(older), ['api_token_revoked', 'api_token_created', 'client_secret_rotated']);
  const [report] = reports.document.events;
  assert.deepEqual(
    [report.user_id, report.client_id, report.address, report.by, report.detail],
    [id, null, null, 'command-line', 'personal'],
  );
  assert.match(text.stdout, /^\d{4}-.*Z {2}account_status_changed {2}user=\d+ {2}by=command-line/);
  const written = JSON.stringify(all.document);
  for (const secret of [client.client_secret, rotated.document.client_secret, token.document.token])
    assert.ok(!written.includes(secret));
});

test('security list refuses an unknown member, an unknown event and a wrong limit', async (t) => {
  const cli = await cliIn(t);
  await cli.open();

  const unknown = await cli.run(['security', 'list', '--username', 'nobody']);
  const event = await cli.run(['security', 'list', '--event', 'signed-in']);
  const limit = await cli.run(['security', 'list', '--limit', '0']);

  assert.match(unknown.stderr, /There is no member named "nobody"/);
  assert.match(event.stderr, /--event must be one of signed_in/);
  assert.match(limit.stderr, /--limit must be from 1 to 1000/);
});
