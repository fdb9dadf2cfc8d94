// Registering applications, and their secrets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byMember, byServer } from '../../src/audit/doer.ts';
import { DAY } from '../../src/lib/clock.ts';
import {
  type ClientRegistration,
  firstSecret,
  InvalidRegistration,
  isSecretOf,
  NO_MANAGEMENT,
  newClientKey,
  registerClient,
  rotateClientSecret,
} from '../../src/oauth/client.ts';
import { registerOwnClient } from '../../src/oauth/own-client.ts';
import { NEW_YEAR, openProvider, type Provider } from './provider.ts';

const GOOD: ClientRegistration = {
  name: 'Notebook',
  kind: 'confidential',
  redirectUris: ['https://notebook.example/cb'],
};

let provider: Provider;
before(async () => {
  provider = await openProvider();
});
after(() => provider.close());

test('a member chooses no id: only a key that the server made in the last day becomes one', async () => {
  const { server } = provider;
  const by = byMember({ id: provider.alice.userId }, server.clock);
  const register = (key: string) => registerOwnClient(by, server, { ...GOOD, key, mustWait: false });

  const chosen = [`0${'1'.repeat(21)}`, 'z'.repeat(22), ':'.repeat(6000), newClientKey(by.at - DAY - 1)];
  for (const key of chosen) assert.deepEqual(await register(key), { problem: 'outdated' });
  const result = await register(newClientKey(by.at));
  assert.ok('client' in result);
});

describe('registerClient', () => {
  test('a confidential application gets a secret, and the digest is stored', async () => {
    const { client, secret } = await registerClient(byServer(provider.server.clock), provider.server, GOOD);

    assert.match(secret ?? '', /^svcs_[A-Za-z0-9]{60}$/);
    assert.equal(isSecretOf(client, secret ?? '', 'svc', 0), true);
    assert.equal(JSON.stringify(client).includes(secret ?? ''), false);
  });

  test('a public application gets no secret', async () => {
    const { client, secret } = await registerClient(byServer(provider.server.clock), provider.server, {
      ...GOOD,
      kind: 'public',
    });

    assert.equal(secret, undefined);
    assert.equal(client.secretDigest, undefined);
  });

  test('the defaults are strict, except for the scopes', async () => {
    const { client } = await registerClient(byServer(provider.server.clock), provider.server, GOOD);

    assert.match(client.id, /^app_[A-Za-z0-9]{22}$/);
    assert.deepEqual(
      { ...client, id: '', ...firstSecret(undefined, 0) },
      {
        id: '',
        name: 'Notebook',
        kind: 'confidential',
        ownerId: undefined,
        scopes: ['openid', 'profile:read', 'posts:read'],
        redirectUris: ['https://notebook.example/cb'],
        postLogoutRedirectUris: [],
        acceptsMissingStateAndNonce: false,
        requiredScopes: [],
        scopeReasons: {},
        homePage: undefined,
        idTokenAlg: 'RS256',
        status: 'active',
        description: '',
        ...firstSecret(undefined, 0),
        ...NO_MANAGEMENT,
        createdAt: NEW_YEAR,
      },
    );
  });

  test('every property is stored', async () => {
    const { client } = await registerClient(byServer(provider.server.clock), provider.server, {
      ...GOOD,
      name: '  My Notebook ',
      scopes: ['posts:read'],
      ownerId: provider.bob.userId,
      redirectUris: ['https://notebook.example/a', 'https://notebook.example/b'],
      postLogoutRedirectUris: ['https://notebook.example/bye'],
      acceptsMissingStateAndNonce: true,
    });

    const record = await provider.server.reads.findClient(client.id);

    assert.equal(record?.name, 'My Notebook');
    assert.deepEqual(record?.scopes, ['posts:read']);
    assert.equal(record?.ownerId, provider.bob.userId);
    assert.deepEqual(record?.redirectUris, ['https://notebook.example/a', 'https://notebook.example/b']);
    assert.deepEqual(record?.postLogoutRedirectUris, ['https://notebook.example/bye']);
    assert.equal(record?.acceptsMissingStateAndNonce, true);
  });

  test('two equal registrations have different ids', async () => {
    const first = await registerClient(byServer(provider.server.clock), provider.server, GOOD);
    const second = await registerClient(byServer(provider.server.clock), provider.server, GOOD);

    assert.notEqual(first.client.id, second.client.id);
    assert.equal(isSecretOf(first.client, second.secret ?? '', 'svc', 0), false);
  });

  const ACCEPTED: [name: string, changes: Partial<ClientRegistration>][] = [
    ['a name of 60 characters', { name: 'n'.repeat(60) }],
    ['a name of 60 characters outside the basic plane', { name: '\u{1f4d3}'.repeat(60) }],
    ['a name in Chinese', { name: '\u7b14\u8bb0\u672c' }],
    ['a name with markup, which pages show as it is', { name: '<b>Notebook</b>' }],
    [
      '20 redirect URIs',
      { redirectUris: Array.from({ length: 20 }, (_, n) => `https://notebook.example/${n}`) },
    ],
  ];

  for (const [name, changes] of ACCEPTED) {
    test(`accepted: ${name}`, async () => {
      await assert.doesNotReject(
        registerClient(byServer(provider.server.clock), provider.server, { ...GOOD, ...changes }),
      );
    });
  }

  const REFUSED: [name: string, changes: Partial<ClientRegistration>, why: RegExp][] = [
    ['no name', { name: '' }, /name/],
    ['a name of spaces', { name: '   ' }, /name/],
    ['a name of 61 characters', { name: 'n'.repeat(61) }, /name/],
    ['a name with a newline', { name: 'Note\nbook' }, /hidden character/],
    ['a name with NUL', { name: 'Note\0book' }, /hidden character/],
    ['a name with a zero-width space', { name: 'Note\u200bbook' }, /hidden character/],
    ['a name with a right-to-left override', { name: 'Note\u202ebook' }, /hidden character/],
    ['a name with a line separator', { name: 'Note\u2028book' }, /hidden character/],
    ['an invisible name', { name: '\u3164' }, /hidden character/],
    ['a name with a byte order mark', { name: '\ufeffNotebook' }, /hidden character/],
    ['no redirect URI', { redirectUris: [] }, /redirect URI/],
    [
      '21 redirect URIs',
      { redirectUris: Array.from({ length: 21 }, (_, n) => `https://notebook.example/${n}`) },
      /At most 20/,
    ],
    [
      'a bad redirect URI',
      { redirectUris: ['http://notebook.example/cb'] },
      /^http:\/\/notebook\.example\/cb: Use https/,
    ],
    [
      'a bad redirect URI after a good one',
      { redirectUris: ['https://notebook.example/cb', 'javascript:alert(1)'] },
      /^javascript:alert\(1\): /,
    ],
    [
      'a bad post-logout redirect URI',
      { postLogoutRedirectUris: ['https://notebook.example/#bye'] },
      /fragment/,
    ],
    [
      '21 post-logout redirect URIs',
      { postLogoutRedirectUris: Array.from({ length: 21 }, (_, n) => `https://notebook.example/${n}`) },
      /At most 20/,
    ],
    ['no scope', { scopes: [] }, /scope/],
    ['an unknown scope', { scopes: ['profile:read', 'wallet:read'] }, /Unknown scope wallet:read/],
    ['a scope in the other case', { scopes: ['Profile:read'] }, /Unknown scope/],
    ['two scopes in one', { scopes: ['profile:read posts:read'] }, /Unknown scope/],
  ];

  for (const [name, changes, why] of REFUSED) {
    test(`refused, and nothing stored: ${name}`, async () => {
      const ownerId = provider.mallory.userId;

      await assert.rejects(
        registerClient(byServer(provider.server.clock), provider.server, { ...GOOD, ownerId, ...changes }),
        (error) => {
          assert(error instanceof InvalidRegistration);
          assert.match(error.message, why);
          return true;
        },
      );

      assert.deepEqual(await provider.server.reads.clientsOf(ownerId), []);
    });
  }
});

describe('rotateClientSecret', () => {
  test('the new secret is the only one', async () => {
    const { client, secret } = await registerClient(byServer(provider.server.clock), provider.server, GOOD);

    const next = await rotateClientSecret(byServer(provider.server.clock), provider.server, client.id);

    const rotated = await provider.server.reads.findClient(client.id);
    assert(rotated && next);
    assert.equal(isSecretOf(rotated, next, 'svc', 0), true);
    assert.equal(isSecretOf(rotated, secret ?? '', 'svc', 0), false);
  });

  test('an unknown or public application has no secret to rotate', async () => {
    assert.equal(
      await rotateClientSecret(byServer(provider.server.clock), provider.server, 'app_unknown'),
      undefined,
    );
    assert.equal(
      await rotateClientSecret(byServer(provider.server.clock), provider.server, provider.pocket.id),
      undefined,
    );
  });
});
