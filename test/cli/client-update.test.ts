import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notebook } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

test('client update sets a webhook, shows its secret once, and client show has its state', async (t) => {
  const cli = await cliIn(t);
  const client = await notebook(await cli.open());
  const update = ['client', 'update', '--client-id', client.id];

  const { document } = await cli.json([...update, '--webhook', 'https://a.example/events']);
  assert.match(document.webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const moved = await cli.json([...update, '--webhook', 'https://b.example/events']);
  assert.deepEqual(moved.document, { client_id: client.id });
  const rotated = await cli.json([...update, '--rotate-webhook-secret']);
  assert.notEqual(rotated.document.webhook_secret, document.webhook_secret);
  const shown = (await cli.json(['client', 'show', '--client-id', client.id])).document;
  assert.deepEqual(
    [shown.webhook_uri, shown.webhook_status, shown.webhook_waiting, shown.webhook_given_up],
    ['https://b.example/events', 'active', 0, 0],
  );
  assert.equal(JSON.stringify(shown).includes('whsec_'), false);

  assert.equal((await cli.json([...update, '--remove-webhook'])).code, 0);
  const again = await cli.json([...update, '--remove-webhook']);
  assert.equal(again.document.error.code, 'endpoint_not_found');
});

test('client create can set both addresses, and refuses one that isn’t public', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const create = [
    'client',
    'create',
    '--name',
    'A',
    '--type',
    'public',
    '--redirect-uri',
    'https://a.example/',
  ];

  const refused = await cli.json([...create, '--webhook', 'https://10.0.0.1/']);
  assert.deepEqual(refused.document.error, {
    code: 'invalid_registration',
    message: 'https://10.0.0.1/: The host is not on the public internet.',
  });
  assert.deepEqual(await portico.oauth.reads.clientsBefore(undefined, 10), []);

  const addresses = ['--webhook', 'https://a.example/e', '--backchannel-logout-uri', 'https://a.example/bye'];
  const { document } = await cli.json([...create, ...addresses]);
  assert.deepEqual(Object.keys(document), ['client_id', 'webhook_secret']);
  const states = await portico.oauth.reads.endpointStates(document.client_id);
  assert.deepEqual(
    states.map(({ kind, url }) => [kind, url]),
    [
      ['webhook', 'https://a.example/e'],
      ['logout', 'https://a.example/bye'],
    ],
  );
});

test('client update says what is wrong with its options', async (t) => {
  const cli = await cliIn(t);
  const client = await notebook(await cli.open());
  const update = ['client', 'update', '--client-id', client.id];

  for (const [words, code] of [
    [[], 'wrong_usage'],
    [['--remove-webhook', '--webhook', 'https://a.example/'], 'wrong_usage'],
    [['--rotate-webhook-secret'], 'endpoint_not_found'],
    [['--webhook', 'nonsense'], 'invalid_registration'],
  ] as const) {
    assert.equal((await cli.json([...update, ...words])).document.error.code, code);
  }
});
