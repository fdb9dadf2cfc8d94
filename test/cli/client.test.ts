import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { firstSecret, isSecretOf, NO_MANAGEMENT } from '../../src/oauth/client.ts';
import { deactivateClient } from '../../src/oauth/client-status.ts';
import { notebook, person, pocket } from '../support/people.ts';
import { cliIn } from './run-cli.ts';

const CALLBACK = 'https://notebook.example/callback';

test('client create registers a confidential application and prints its secret once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const bob = await person(portico, 'bob');

  const { code, document } = await cli.json([
    ...['client', 'create', '--name', 'Notebook', '--type', 'confidential', '--owner', 'bob'],
    ...['--redirect-uri', CALLBACK, '--redirect-uri', 'http://localhost:4000/callback'],
    ...['--scope', 'profile:read', '--post-logout-redirect-uri', 'https://notebook.example/bye'],
    ...['--required-scope', 'profile:read', '--reason', 'profile:read=To greet you.'],
    ...['--reason-zh', 'profile:read=向您问好。', '--home-page', 'https://notebook.example/'],
    '--allow-missing-state-and-nonce',
  ]);

  assert.equal(code, 0);
  assert.deepEqual(Object.keys(document), ['client_id', 'client_secret']);
  const client = await portico.oauth.reads.findClient(document.client_id);
  assert.equal(client && isSecretOf(client, document.client_secret, 'svc', 0), true);
  assert.deepEqual(
    { ...client, id: '', ...firstSecret(undefined, 0), createdAt: 0 },
    {
      id: '',
      name: 'Notebook',
      kind: 'confidential',
      description: '',
      ...firstSecret(undefined, 0),
      ...NO_MANAGEMENT,
      ownerId: bob.id,
      scopes: ['profile:read'],
      redirectUris: [CALLBACK, 'http://localhost:4000/callback'],
      postLogoutRedirectUris: ['https://notebook.example/bye'],
      acceptsMissingStateAndNonce: true,
      idTokenAlg: 'RS256',
      requiredScopes: ['profile:read'],
      scopeReasons: { 'profile:read': { en: 'To greet you.', zh: '向您问好。' } },
      homePage: 'https://notebook.example/',
      status: 'active',
      createdAt: 0,
    },
  );
});

test('client create gives a public application no secret', async (t) => {
  const cli = await cliIn(t);

  const { code, document } = await cli.json([
    ...['client', 'create', '--name', 'Pocket', '--type', 'public', '--redirect-uri', CALLBACK],
  ]);

  assert.equal(code, 0);
  assert.deepEqual(Object.keys(document), ['client_id']);
});

test('client create accepts scopes one by one or separated by spaces', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const create = ['client', 'create', '--name', 'Pocket', '--type', 'public', '--redirect-uri', CALLBACK];

  const apart = await cli.json([...create, '--scope', 'posts:read', '--scope', 'profile:read']);
  const together = await cli.json([...create, '--scope', 'profile:read posts:read']);

  for (const { document } of [apart, together]) {
    const client = await portico.oauth.reads.findClient(document.client_id);
    assert.deepEqual(client?.scopes, ['profile:read', 'posts:read']);
  }
});

test('client create --id-token-alg sets the algorithm for id_tokens', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const create = ['client', 'create', '--name', 'Pocket', '--type', 'public', '--redirect-uri', CALLBACK];

  const es256 = await cli.json([...create, '--id-token-alg', 'ES256']);
  const unsigned = await cli.json([...create, '--id-token-alg', 'none']);

  assert.equal((await portico.oauth.reads.findClient(es256.document.client_id))?.idTokenAlg, 'ES256');
  assert.deepEqual([unsigned.code, unsigned.document.error.code], [2, 'wrong_usage']);
});

test('client create registers all scopes if none are named, and openid alone if that is named', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const create = ['client', 'create', '--name', 'Pocket', '--type', 'public', '--redirect-uri', CALLBACK];

  const all = await cli.json(create);
  const one = await cli.json([...create, '--scope', 'openid']);

  const scopesOf = async (id: string) => (await portico.oauth.reads.findClient(id))?.scopes;
  assert.deepEqual(await scopesOf(all.document.client_id), ['openid', 'profile:read', 'posts:read']);
  assert.deepEqual(await scopesOf(one.document.client_id), ['openid']);
});

test('client create refuses a callback that can’t be registered, and says why', async (t) => {
  const cli = await cliIn(t);

  const { code, stderr } = await cli.run([
    ...['client', 'create', '--name', 'Pocket', '--type', 'public'],
    ...['--redirect-uri', 'http://pocket.example/callback'],
  ]);

  assert.equal(code, 1);
  assert.equal(
    stderr,
    'portico: http://pocket.example/callback: Use https. Only a loopback address can use http.\n',
  );
});

test('client update changes what members are told, and keeps what it does not name', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await notebook(portico, { introduction: { homePage: 'https://notebook.example/' } });
  const update = ['client', 'update', '--client-id', id];

  const first = await cli.json([
    ...update,
    '--required-scope',
    'openid',
    '--reason',
    'posts:read=To file them.',
  ]);
  await cli.json([...update, '--reason-zh', 'posts:read=归档文章。', '--reason', 'openid=To know you.']);
  await cli.json([...update, '--required-scope', 'none', '--reason', 'openid=']);

  assert.deepEqual(first, { code: 0, document: { client_id: id } });
  const client = await portico.oauth.reads.findClient(id);
  assert.deepEqual(client?.scopeReasons, { 'posts:read': { en: 'To file them.', zh: '归档文章。' } });
  assert.deepEqual([client?.requiredScopes, client?.homePage], [[], 'https://notebook.example/']);
});

test('client update names what is wrong with an introduction', async (t) => {
  const cli = await cliIn(t);
  const { id } = await notebook(await cli.open(), { scopes: ['profile:read'] });
  const problemWith = async (...options: string[]) =>
    (await cli.json(['client', 'update', '--client-id', id, ...options])).document.error.message;

  assert.match(await problemWith('--required-scope', 'posts:read'), /among the scopes/);
  assert.match(await problemWith('--reason', 'posts:read=Why'), /posts:read, which the application may not/);
  assert.match(await problemWith('--reason', `profile:read=${'x'.repeat(201)}`), /has 201 characters/);
  assert.match(await problemWith('--reason', 'profile:read=a\u202eb'), /hidden character/);
  assert.match(await problemWith('--reason', 'profile=Why'), /SCOPE=TEXT/);
  assert.match(await problemWith('--home-page', 'javascript:alert(1)'), /https:/);
  assert.match(await problemWith(), /Nothing to change/);
});

test('client rotate-secret invalidates the old secret at once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id, secret } = await notebook(portico);

  const { code, document } = await cli.json(['client', 'rotate-secret', '--client-id', id]);

  assert.equal(code, 0);
  assert.equal(document.client_id, id);
  const client = await portico.oauth.reads.findClient(id);
  assert.equal(client && isSecretOf(client, document.client_secret, 'svc', 0), true);
  assert.equal(client && isSecretOf(client, secret, 'svc', 0), false);
});

test('client rotate-secret fails differently for a public application and an unknown one', async (t) => {
  const cli = await cliIn(t);
  const { id } = await pocket(await cli.open());

  const ofPublic = await cli.json(['client', 'rotate-secret', '--client-id', id]);
  const ofNone = await cli.json(['client', 'rotate-secret', '--client-id', 'app_none']);

  assert.deepEqual([ofPublic.code, ofPublic.document.error.code], [1, 'client_is_public']);
  assert.deepEqual([ofNone.code, ofNone.document.error.code], [1, 'client_not_found']);
});

test('client deactivate and activate are seen by an open connection at once', async (t) => {
  const cli = await cliIn(t);
  const portico = await cli.open();
  const { id } = await notebook(portico);
  const status = async () => (await portico.oauth.reads.findClient(id))?.status;

  const off = await cli.json(['client', 'deactivate', '--client-id', id]);
  const whileOff = await status();
  const on = await cli.run(['client', 'activate', '--client-id', id]);

  assert.deepEqual(off, { code: 0, document: { client_id: id, status: 'deactivated' } });
  assert.equal(whileOff, 'deactivated');
  assert.equal(on.stdout, `The application ${id} is active.\n`);
  assert.equal(await status(), 'active');
});

test('client list shows no field derived from a secret', async (t) => {
  const cli = await cliIn(t);
  await notebook(await cli.open());
  await pocket(await cli.open());

  const { document } = await cli.json(['client', 'list']);

  const [ofPublic, ofConfidential] = document.clients.map(Object.keys);
  assert.deepEqual(ofConfidential, ofPublic);
});

test('client list shows every application, and no secret', async (t) => {
  const cli = await cliIn(t);
  const none = await cli.run(['client', 'list']);
  const portico = await cli.open();
  const { id } = await pocket(portico);
  await deactivateClient(byServer(portico.clock), portico.oauth, id);

  const { code, document } = await cli.json(['client', 'list']);
  const { stdout } = await cli.run(['client', 'list']);

  assert.equal(none.stdout, 'There are no such applications.\n');
  assert.equal(code, 0);
  const [{ created_at, ...client }] = document.clients;
  assert.match(created_at, /^20\d\d-.*Z$/);
  assert.deepEqual(client, {
    client_id: id,
    name: 'Pocket',
    type: 'public',
    status: 'deactivated',
    scopes: ['openid', 'profile:read', 'posts:read'],
    redirect_uris: ['https://pocket.example.com/cb'],
    post_logout_redirect_uris: [],
    id_token_alg: 'RS256',
    accepts_missing_state_and_nonce: false,
    required_scopes: [],
    scope_reasons: {},
    home_page: null,
    description: '',
    document_url: null,
    claimed_name: null,
    deactivation: 'operators',
    review_note: null,
    logo: null,
    logo_approved: false,
    delete_at: null,
    owner_id: null,
    owner: null,
  });
  assert.equal(stdout, `${id}  public        deactivated  Pocket\n`);
});
