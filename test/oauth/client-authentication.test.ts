// Authenticating the application at the token and the revocation endpoint (RFC 6749 §2.3, contract §4).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { registerClient, rotateClientSecret } from '../../src/oauth/client.ts';
import {
  authenticateClient,
  type BasicCredentials,
  readBasicCredentials,
} from '../../src/oauth/client-authentication.ts';
import { activateClient, deactivateClient } from '../../src/oauth/client-status.ts';
import type { OAuthErrorCode } from '../../src/oauth/errors.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { assertRefused, formOf, NEW_YEAR, openProvider, type Parameters, type Provider } from './provider.ts';

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function basicOfBytes(...bytes: number[]): string {
  return `Basic ${Buffer.from(bytes).toString('base64')}`;
}

const HEADERS: [name: string, header: string | undefined, expected: BasicCredentials][] = [
  ['no header', undefined, undefined],
  ['id and secret', basic('app_1:svcs_2'), { id: 'app_1', secret: 'svcs_2' }],
  [
    'the example of RFC 6749 §2.3.1',
    'Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3',
    { id: 's6BhdRkqt3', secret: '7Fjfp0ZBr1KtDRbnfVdmIw' },
  ],
  ['scheme in small letters', basic('a:b').replace('Basic', 'basic'), { id: 'a', secret: 'b' }],
  ['scheme in capitals', basic('a:b').replace('Basic', 'BASIC'), { id: 'a', secret: 'b' }],
  ['several spaces after the scheme', basic('a:b').replace(' ', '   '), { id: 'a', secret: 'b' }],
  ['no padding', basic('a:bc').replace(/=+$/, ''), { id: 'a', secret: 'bc' }],
  ['percent-encoded parts', basic('a%2Db:c%2Fd%25'), { id: 'a-b', secret: 'c/d%' }],
  ['an encoded colon in the secret', basic('a:b%3Ac'), { id: 'a', secret: 'b:c' }],
  ['an encoded colon in the id', basic('a%3Ab:c'), { id: 'a:b', secret: 'c' }],
  ['plus for a space', basic('a+b:c+d'), { id: 'a b', secret: 'c d' }],
  ['an encoded plus', basic('a%2Bb:c'), { id: 'a+b', secret: 'c' }],
  ['letters outside ASCII', basic('caf%C3%A9:\u00fc'), { id: 'caf\u00e9', secret: '\u00fc' }],
  ['an empty secret is as if absent', basic('a:'), { id: 'a', secret: undefined }],
  ['a second colon', basic('a:b:c'), 'malformed'],
  ['no colon', basic('ab'), 'malformed'],
  ['no id', basic(':b'), 'malformed'],
  ['only a colon', basic(':'), 'malformed'],
  ['percent sign that encodes nothing', basic('a:100%'), 'malformed'],
  ['percent sign before other letters', basic('a%zz:b'), 'malformed'],
  ['encoded bytes that are no UTF-8', basic('a:%FF'), 'malformed'],
  ['NUL in the id', basic('a\0b:c'), 'malformed'],
  ['encoded NUL in the id', basic('a%00b:c'), 'malformed'],
  ['bytes that are no UTF-8', basicOfBytes(0xff, 0x3a, 0x61), { id: '\ufffd', secret: 'a' }],
  ['empty header', '', 'malformed'],
  ['scheme alone', 'Basic', 'malformed'],
  ['scheme and a space', 'Basic ', 'malformed'],
  ['not Base64', 'Basic a:b', 'malformed'],
  ['Base64 for URLs', 'Basic _-8=', 'malformed'],
  ['something after the credentials', `${basic('a:b')} x`, 'malformed'],
  ['newline after the credentials', `${basic('a:b')}\n`, 'malformed'],
  ['padding in the middle', 'Basic YT=pi', 'malformed'],
  ['another scheme', 'Bearer abc', 'malformed'],
  ['a scheme that begins like it', basic('a:b').replace('Basic', 'Basics'), 'malformed'],
  ['no space after the scheme', basic('a:b').replace(' ', ''), 'malformed'],
  ['a tab after the scheme', basic('a:b').replace(' ', '\t'), 'malformed'],
];

describe('readBasicCredentials', () => {
  for (const [name, header, expected] of HEADERS) {
    test(name, () => {
      assert.deepEqual(readBasicCredentials(header), expected);
    });
  }

  test('two headers, which arrive joined by a comma, are invalid_request', async () => {
    await assertRefused(() => readBasicCredentials(`${basic('a:b')}, ${basic('a:b')}`), 'invalid_request');
    await assertRefused(() => readBasicCredentials(`Bearer abc,${basic('a:b')}`), 'invalid_request');
  });

  test('64 kB are checked without delay', () => {
    const startedAt = performance.now();

    for (const long of [
      `Basic ${'A'.repeat(65_536)}!`,
      `Basic ${' '.repeat(65_536)}!`,
      `Basic ${'='.repeat(65_536)}!`,
    ]) {
      assert.equal(readBasicCredentials(long), 'malformed');
    }
    assert.equal(readBasicCredentials(basic(`a${':'.repeat(65_536)}`)), 'malformed');

    assert(performance.now() - startedAt < 1_000);
  });
});

describe('authenticateClient', () => {
  let provider: Provider;
  let secret: string;
  let id: string;

  before(async () => {
    provider = await openProvider();
    const registration = await registerClient(byServer(provider.server.clock), provider.server, {
      name: 'Notebook',
      kind: 'confidential',
      redirectUris: ['https://notebook.example/cb'],
    });
    id = registration.client.id;
    secret = registration.secret ?? '';
  });
  after(() => provider.close());

  function authenticate(parameters: Parameters, header?: string) {
    return (async () =>
      authenticateClient(provider.server, formOf(parameters), readBasicCredentials(header)))();
  }

  test('a confidential application authenticates in the body', async () => {
    const client = await authenticate({ client_id: id, client_secret: secret });

    assert.equal(client.id, id);
  });

  test('a confidential application authenticates in the header, with or without its id in the body', async () => {
    assert.equal((await authenticate({}, basic(`${id}:${secret}`))).id, id);
    assert.equal((await authenticate({ client_id: id }, basic(`${id}:${secret}`))).id, id);
    assert.equal((await authenticate({ client_secret: '' }, basic(`${id}:${secret}`))).id, id);
  });

  test('a public application sends only its id', async () => {
    const pocket = provider.pocket.id;

    assert.equal((await authenticate({ client_id: pocket })).id, pocket);
    assert.equal((await authenticate({ client_id: pocket, client_secret: '' })).id, pocket);
    assert.equal((await authenticate({}, basic(`${pocket}:`))).id, pocket);
  });

  describe('a request with no authentication or with two is invalid_request', () => {
    const CASES: [name: string, parameters: () => Parameters, header: () => string | undefined][] = [
      ['no client_id', () => ({}), () => undefined],
      ['an empty client_id', () => ({ client_id: '' }), () => undefined],
      ['a secret without client_id', () => ({ client_secret: secret }), () => undefined],
      ['the secret in header and body', () => ({ client_secret: secret }), () => basic(`${id}:${secret}`)],
      [
        'the secret in the body, an empty one in the header',
        () => ({ client_secret: secret }),
        () => basic(`${id}:`),
      ],
      [
        'another client_id in the body',
        () => ({ client_id: provider.pocket.id }),
        () => basic(`${id}:${secret}`),
      ],
      ['client_assertion', () => ({ client_id: id, client_assertion: 'x' }), () => undefined],
      [
        'client_assertion beside the secret',
        () => ({ client_id: id, client_secret: secret, client_assertion: 'x' }),
        () => undefined,
      ],
      ['client_assertion_type', () => ({ client_assertion_type: 'x' }), () => basic(`${id}:${secret}`)],
    ];

    for (const [name, parameters, header] of CASES) {
      test(name, () => assertRefused(authenticate(parameters(), header()), 'invalid_request'));
    }
  });

  describe('every failed authentication is the same invalid_client', () => {
    const CASES: [name: string, parameters: () => Parameters, header?: () => string][] = [
      ['unknown application', () => ({ client_id: 'app_unknown', client_secret: secret })],
      ['unknown application without a secret', () => ({ client_id: 'app_unknown' })],
      ['id in the other case', () => ({ client_id: id.toUpperCase(), client_secret: secret })],
      ['id with a space', () => ({ client_id: `${id} `, client_secret: secret })],
      ['no secret', () => ({ client_id: id })],
      ['empty secret', () => ({ client_id: id, client_secret: '' })],
      [
        'another secret',
        () => ({ client_id: id, client_secret: mintToken('clientSecret', 'svc', NEW_YEAR).text }),
      ],
      ['secret cut short', () => ({ client_id: id, client_secret: secret.slice(0, -1) })],
      ['secret prolonged', () => ({ client_id: id, client_secret: `${secret}a` })],
      ['secret in the other case', () => ({ client_id: id, client_secret: secret.toUpperCase() })],
      ['secret with a space', () => ({ client_id: id, client_secret: ` ${secret}` })],
      [
        'an access token for a secret',
        () => ({ client_id: id, client_secret: mintToken('access', 'svc', NEW_YEAR).text }),
      ],
      [
        'a public application with a secret',
        () => ({ client_id: provider.pocket.id, client_secret: secret }),
      ],
      ['a wrong secret in the header', () => ({}), () => basic(`${id}:wrong`)],
      ['no secret in the header', () => ({}), () => basic(`${id}:`)],
      ['unknown application in the header', () => ({}), () => basic(`app_unknown:${secret}`)],
      ['malformed header', () => ({ client_id: id, client_secret: secret }), () => 'Basic !'],
      ['another scheme in the header', () => ({ client_id: id, client_secret: secret }), () => 'Bearer abc'],
    ];

    for (const [name, parameters, header] of CASES) {
      test(name, () =>
        assertRefused(
          authenticate(parameters(), header?.()),
          'invalid_client' satisfies OAuthErrorCode,
          /^The client_id is not known or not active, or the client_secret is missing or wrong\.$/,
        ),
      );
    }

    test('the right secret of a deactivated application, until it is activated again', async () => {
      const parameters = { client_id: id, client_secret: secret };
      await deactivateClient(byServer(provider.server.clock), provider.server, id);

      await assertRefused(
        authenticate(parameters),
        'invalid_client',
        /^The client_id is not known or not active, or the client_secret is missing or wrong\.$/,
      );

      await activateClient(byServer(provider.server.clock), provider.server, id);
      assert.equal((await authenticate(parameters)).id, id);
    });

    test('the old secret from the moment it is rotated', async () => {
      const registration = await registerClient(byServer(provider.server.clock), provider.server, {
        name: 'Rotating',
        kind: 'confidential',
        redirectUris: ['https://notebook.example/cb'],
      });

      const next = await rotateClientSecret(
        byServer(provider.server.clock),
        provider.server,
        registration.client.id,
      );

      await assertRefused(
        authenticate({ client_id: registration.client.id, client_secret: registration.secret }),
        'invalid_client',
        /^The client_id is not known or not active, or the client_secret is missing or wrong\.$/,
      );
      assert.equal(
        (await authenticate({ client_id: registration.client.id, client_secret: next })).id,
        registration.client.id,
      );
    });
  });
});
