import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOUR } from '../../src/lib/clock.ts';
import { isSecretOf } from '../../src/oauth/client.ts';
import { drawPicture } from '../http/site/picture-form.ts';
import { temporaryFolder } from '../support/databases.ts';
import { notebook, person, pocket } from '../support/people.ts';
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

test('client update changes the name, the addresses and the owner, and says what it refuses', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const client = await notebook(portico);
  const bob = await person(portico, 'bob');
  const update = ['client', 'update', '--client-id', client.id];

  const words = ['--name', 'Notes', '--redirect-uri', 'https://b.example/cb', '--scope', 'profile:read'];
  assert.equal((await cli.run([...update, ...words, '--owner', 'bob', '--description', 'Notes.'])).code, 0);
  const changed = await portico.oauth.reads.findClient(client.id);
  assert.deepEqual(
    [changed?.name, changed?.redirectUris, changed?.scopes, changed?.ownerId, changed?.description],
    ['Notes', ['https://b.example/cb'], ['profile:read'], bob.id, 'Notes.'],
  );

  const refused = await cli.json([...update, '--redirect-uri', 'https://b.example/#x']);
  assert.deepEqual(refused.document.error, {
    code: 'invalid_registration',
    message: 'https://b.example/#x: The address has a fragment (#), which the application never receives.',
  });
  assert.equal((await cli.json([...update, '--owner', 'nobody'])).document.error.code, 'user_not_found');
});

test('client delete waits a week, can be cancelled, or acts at once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const client = await notebook(portico);
  const remove = ['client', 'delete', '--client-id', client.id];

  assert.equal((await cli.json([...remove, '--cancel'])).document.error.code, 'not_planned');
  const { document } = await cli.json(remove);
  assert.match(document.deletes_at, /^\d{4}-\d\d-\d\dT/);
  assert.equal((await cli.json(remove)).document.error.code, 'planned_already');
  assert.deepEqual((await cli.json([...remove, '--cancel'])).document.deletes_at, null);

  assert.equal((await cli.json([...remove, '--now'])).document.deleted, true);
  assert.equal((await portico.oauth.reads.findClient(client.id))?.status, 'deactivated');
  assert.equal((await cli.json([...remove, '--now'])).document.error.code, 'client_not_found');
  const activate = ['client', 'activate', '--client-id', client.id];
  assert.equal((await cli.json(activate)).document.error.code, 'client_not_found');
});

test('client rotate-secret can keep the old secret for some hours', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const client = await notebook(portico);

  await cli.run(['client', 'rotate-secret', '--client-id', client.id, '--keep-old', '24']);
  const changed = await portico.oauth.reads.findClient(client.id);
  const now = portico.clock();
  assert(changed !== undefined && isSecretOf(changed, client.secret, 'svc', now + 23 * HOUR));
  assert.equal(isSecretOf(changed, client.secret, 'svc', now + 25 * HOUR), false);
});

test('client update sets a logo that members see at once, removes it, and says what is wrong with a file', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const client = await notebook(portico);
  const folder = await temporaryFolder(t);
  const [picture, text] = [join(folder, 'logo.png'), join(folder, 'logo.txt')];
  await writeFile(picture, await drawPicture());
  await writeFile(text, 'no picture');
  const update = ['client', 'update', '--client-id', client.id, '--logo'];

  assert.equal((await cli.run([...update, picture, '--name', 'Notes'])).code, 0);
  const { document } = await cli.json(['client', 'show', '--client-id', client.id]);
  assert.match(document.logo, /^[0-9a-f]{32}$/);
  assert.deepEqual([document.logo_approved, document.name], [true, 'Notes']);
  assert.ok(await portico.oauth.reads.findClientLogo(document.logo));

  const noPicture = await cli.json([...update, text]);
  assert.deepEqual(noPicture.document.error, {
    code: 'picture_unusable',
    message: `--logo: ${text} can't be read as a picture. Pass a PNG, JPEG, WebP, GIF or AVIF file.`,
  });
  const missing = await cli.json([...update, join(folder, 'none.png')]);
  assert.equal(missing.document.error.code, 'file_unreadable');
  assert.equal((await cli.run([...update, 'none'])).code, 0);
  assert.equal((await portico.oauth.reads.findClient(client.id))?.logo, undefined);
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

test('An application that describes itself can be shown and deactivated, and not changed', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id: userId } = await person(portico, 'alice');
  const { id } = await pocket(portico);
  const client = await portico.oauth.reads.findClient(id);
  assert.ok(client);
  const documentUrl = 'https://assistant.example/client.json';
  const described = { ...client, id: 'app_1', documentUrl, claimedName: 'Assistant' };
  const by = { kind: 'member', userId, at: portico.clock() } as const;
  await portico.oauth.writes.addDocumentClient(by, described, 9);

  const shown = await cli.json(['client', 'show', '--client-id', 'app_1']);
  assert.deepEqual([shown.document.document_url, shown.document.claimed_name], [documentUrl, 'Assistant']);
  for (const change of [
    ['--name', 'X'],
    ['--owner', 'alice'],
    ['--webhook', 'https://a.example/'],
  ]) {
    const refused = await cli.json(['client', 'update', '--client-id', 'app_1', ...change]);
    assert.equal(refused.document.error.code, 'client_describes_itself');
    assert.match(refused.document.error.message, /assistant\.example\/client\.json says/);
  }
  assert.equal((await cli.json(['client', 'deactivate', '--client-id', 'app_1'])).code, 0);
});
