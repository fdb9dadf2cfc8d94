// Reading an authorization request (RFC 6749 §4.1.1, contract §3): who asks, where the answer may go, what is asked.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type ReadRequest,
  ReturnAddress,
  readAuthorizationRequest,
} from '../../src/oauth/authorization-request.ts';
import type { Client } from '../../src/oauth/client.ts';
import { OAuthError, type OAuthErrorCode } from '../../src/oauth/errors.ts';
import { Form } from '../../src/oauth/form.ts';
import {
  askingParameters,
  CHALLENGE,
  formOf,
  ISSUER,
  NOTEBOOK_CALLBACK,
  openProvider,
  type Parameters,
  POCKET_CALLBACK,
  type Provider,
} from './provider.ts';

let provider: Provider;
/** Registered for one scope only. */
let narrow: Client;
/** Excused from state and nonce. */
let old: Client;
let deactivated: Client;

before(async () => {
  provider = await openProvider();
  narrow = await provider.register({ name: 'Narrow', scopes: ['profile:read'] });
  old = await provider.register({ name: 'Old', acceptsMissingStateAndNonce: true });
  deactivated = await provider.register({ name: 'Gone' });
  await provider.server.store.setClientStatus(deactivated.id, 'deactivated');
});
after(() => provider.close());

function read(client: Client, changes: Parameters = {}): Promise<ReadRequest> {
  return readAuthorizationRequest(provider.server, formOf({ ...askingParameters(client), ...changes }));
}

/** Reads a request in which the pairs are added to the good ones. */
function readWithMore(client: Client, ...more: [string, string][]): Promise<ReadRequest> {
  return readAuthorizationRequest(
    provider.server,
    new Form([...Object.entries(askingParameters(client)), ...more]),
  );
}

describe('a good request', () => {
  test('is read as what was asked', async () => {
    const answer = await read(provider.notebook, { nonce: 'n-0S6_WzA2Mj' });

    assert(answer.outcome === 'request');
    assert.equal(answer.request.client.id, provider.notebook.id);
    assert.equal(answer.request.returnTo.redirectUri, 'https://notebook.example/oauth/callback');
    assert.equal(answer.request.returnTo.state, 'af0ifjsldkj');
    assert.deepEqual(answer.request.scopes, ['profile:read', 'posts:read']);
    assert.equal(answer.request.codeChallenge, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    assert.equal(answer.request.nonce, 'n-0S6_WzA2Mj');
  });

  const GOOD: [name: string, client: () => Client, changes: Parameters][] = [
    ['a public application with PKCE', () => provider.pocket, {}],
    [
      'a confidential application without PKCE',
      () => provider.notebook,
      { code_challenge: undefined, code_challenge_method: undefined },
    ],
    [
      'empty PKCE parameters of a confidential application',
      () => provider.notebook,
      { code_challenge: '', code_challenge_method: '' },
    ],
    ['an empty nonce', () => provider.notebook, { nonce: '' }],
    ['an unknown parameter', () => provider.notebook, { utm_source: 'x', 'state[]': 'y' }],
    ['response_mode query', () => provider.notebook, { response_mode: 'query' }],
    [
      'an empty request parameter',
      () => provider.notebook,
      { request: '', request_uri: '', registration: '' },
    ],
    ['no state, from an application that is excused', () => old, { state: undefined }],
  ];

  for (const [name, client, changes] of GOOD) {
    test(name, async () => {
      assert.equal((await read(client(), changes)).outcome, 'request');
    });
  }

  test('scopes that are not known are left out when a known one remains', async () => {
    const answer = await read(provider.notebook, { scope: 'email posts:read offline_access' });

    assert(answer.outcome === 'request');
    assert.deepEqual(answer.request.scopes, ['posts:read']);
  });

  test('scopes that the application is not registered for are left out', async () => {
    const answer = await read(narrow, { scope: 'posts:read profile:read' });

    assert(answer.outcome === 'request');
    assert.deepEqual(answer.request.scopes, ['profile:read']);
  });
});

describe('without a known application or its registered address there is nowhere to return to', () => {
  type Problem = 'client_missing' | 'client_unknown' | 'redirect_uri_missing' | 'redirect_uri_unregistered';
  const CASES: [name: string, changes: () => Parameters, reason: Problem][] = [
    ['client_id missing', () => ({ client_id: undefined }), 'client_missing'],
    ['client_id empty', () => ({ client_id: '' }), 'client_missing'],
    ['client_id with NUL', () => ({ client_id: `${provider.notebook.id}\0` }), 'client_missing'],
    ['client_id unknown', () => ({ client_id: 'app_unknown' }), 'client_unknown'],
    [
      'client_id in the other case',
      () => ({ client_id: provider.notebook.id.toUpperCase() }),
      'client_unknown',
    ],
    ['client_id with a space', () => ({ client_id: `${provider.notebook.id} ` }), 'client_unknown'],
    ['application deactivated', () => ({ client_id: deactivated.id }), 'client_unknown'],
    ['redirect_uri missing', () => ({ redirect_uri: undefined }), 'redirect_uri_missing'],
    ['redirect_uri empty', () => ({ redirect_uri: '' }), 'redirect_uri_missing'],
    [
      'redirect_uri of another application',
      () => ({ redirect_uri: POCKET_CALLBACK }),
      'redirect_uri_unregistered',
    ],
    [
      'redirect_uri that differs',
      () => ({ redirect_uri: `${NOTEBOOK_CALLBACK}/` }),
      'redirect_uri_unregistered',
    ],
    ['redirect_uri with NUL', () => ({ redirect_uri: `${NOTEBOOK_CALLBACK}\0` }), 'redirect_uri_missing'],
    [
      'redirect_uri[] for redirect_uri',
      () => ({ redirect_uri: undefined, 'redirect_uri[]': NOTEBOOK_CALLBACK }),
      'redirect_uri_missing',
    ],
  ];

  for (const [name, changes, reason] of CASES) {
    test(`${name}: ${reason}`, async () => {
      const answer = await read(provider.notebook, changes());

      assert(answer.outcome === 'unreturnable');
      assert.equal(answer.problem.reason, reason);
    });

    test(`${name}: comes before whatever else is wrong`, async () => {
      const wrong = {
        response_type: 'token',
        scope: undefined,
        state: undefined,
        request: 'x',
        code_challenge_method: 'plain',
      };

      const answer = await read(provider.notebook, { ...wrong, ...changes() });

      assert(answer.outcome === 'unreturnable');
      assert.equal(answer.problem.reason, reason);
    });
  }

  test('the application comes before its address', async () => {
    const answer = await read(provider.notebook, {
      client_id: 'app_unknown',
      redirect_uri: 'https://evil.example/',
    });

    assert(answer.outcome === 'unreturnable');
    assert.equal(answer.problem.reason, 'client_unknown');
    assert.equal(answer.problem.redirectUri, undefined);
  });

  test('what came is told beside the application, for its owner', async () => {
    const answer = await read(provider.notebook, { redirect_uri: 'https://evil.example/' });

    assert(answer.outcome === 'unreturnable');
    assert.equal(answer.problem.client?.id, provider.notebook.id);
    assert.equal(answer.problem.redirectUri, 'https://evil.example/');
  });

  for (const name of ['client_id', 'redirect_uri'] as const) {
    const REPETITIONS: [how: string, first: (good: string) => string, last: (good: string) => string][] = [
      ['the same value', (good) => good, (good) => good],
      ['a bad one first', () => 'https://evil.example/', (good) => good],
      ['a bad one last', (good) => good, () => 'https://evil.example/'],
      ['an empty one first', () => '', (good) => good],
      ['an empty one last', (good) => good, () => ''],
      ['one with NUL first', (good) => `${good}\0`, (good) => good],
      ['one with NUL last', (good) => good, (good) => `${good}\0`],
    ];

    for (const [how, first, last] of REPETITIONS) {
      test(`${name} given twice: ${how}`, async () => {
        const { [name]: good = '', ...others } = askingParameters(provider.notebook);
        const form = new Form([[name, first(good)], ...Object.entries(others), [name, last(good)]]);

        const answer = await readAuthorizationRequest(provider.server, form);

        assert(answer.outcome === 'unreturnable');
        assert.equal(answer.problem.reason, `${name === 'client_id' ? 'client' : name}_missing`);
      });
    }
  }
});

type Refusal = [name: string, client: () => Client, changes: Parameters, code: OAuthErrorCode, words: RegExp];

const REFUSALS: Refusal[] = [
  [
    'response_type missing',
    () => provider.notebook,
    { response_type: undefined },
    'invalid_request',
    /response_type/,
  ],
  ['response_type empty', () => provider.notebook, { response_type: '' }, 'invalid_request', /response_type/],
  ...['token', 'id_token', 'code token', 'code id_token', 'none', 'CODE', 'code ', ' code', 'foo'].map(
    (value): Refusal => [
      `response_type ${JSON.stringify(value)}`,
      () => provider.notebook,
      { response_type: value },
      'unsupported_response_type',
      /response_type/,
    ],
  ),
  ...['fragment', 'web_message', 'jwt', 'QUERY'].map(
    (value): Refusal => [
      `response_mode ${value}`,
      () => provider.notebook,
      { response_mode: value },
      'invalid_request',
      /response_mode/,
    ],
  ),
  [
    'request',
    () => provider.notebook,
    { request: 'eyJhbGciOiJub25lIn0..' },
    'request_not_supported',
    /request/,
  ],
  [
    'request_uri',
    () => provider.notebook,
    { request_uri: 'https://evil.example/r' },
    'request_uri_not_supported',
    /request_uri/,
  ],
  [
    'registration',
    () => provider.notebook,
    { registration: '{}' },
    'registration_not_supported',
    /registration/,
  ],
  [
    'state missing',
    () => provider.notebook,
    { state: undefined },
    'invalid_request',
    /parameter state is missing/,
  ],
  ['state empty', () => provider.notebook, { state: '' }, 'invalid_request', /parameter state is missing/],
  ['state with NUL', () => provider.notebook, { state: 'a\0b' }, 'invalid_request', /NUL/],
  ['nonce with NUL', () => provider.notebook, { nonce: '\0' }, 'invalid_request', /NUL/],
  ['scope missing', () => provider.notebook, { scope: undefined }, 'invalid_scope', /scope is missing/],
  ['scope empty', () => provider.notebook, { scope: '' }, 'invalid_scope', /scope is missing/],
  ['scope of spaces', () => provider.notebook, { scope: '  ' }, 'invalid_scope', /known/],
  ['only unknown scopes', () => provider.notebook, { scope: 'email wallet:read' }, 'invalid_scope', /known/],
  [
    'scope with a quotation mark',
    () => provider.notebook,
    { scope: 'profile:read "' },
    'invalid_scope',
    /character/,
  ],
  [
    'scope with a backslash',
    () => provider.notebook,
    { scope: 'profile:read \\' },
    'invalid_scope',
    /character/,
  ],
  [
    'scope outside ASCII',
    () => provider.notebook,
    { scope: 'profile:read \u00e9' },
    'invalid_scope',
    /character/,
  ],
  [
    'scope with a tab',
    () => provider.notebook,
    { scope: 'profile:read\tposts:read' },
    'invalid_scope',
    /character/,
  ],
  [
    'only scopes the application is not registered for',
    () => narrow,
    { scope: 'posts:read' },
    'invalid_scope',
    /not registered/,
  ],
  [
    'public application without code_challenge',
    () => provider.pocket,
    { code_challenge: undefined, code_challenge_method: undefined },
    'invalid_request',
    /PKCE/,
  ],
  [
    'public application with empty PKCE parameters',
    () => provider.pocket,
    { code_challenge: '', code_challenge_method: '' },
    'invalid_request',
    /PKCE/,
  ],
  [
    'code_challenge_method without code_challenge',
    () => provider.notebook,
    { code_challenge: undefined },
    'invalid_request',
    /without code_challenge/,
  ],
  ...[undefined, '', 'plain', 's256', 'S512', 'S256 '].map(
    (value): Refusal => [
      `code_challenge_method ${value === undefined ? 'missing' : JSON.stringify(value)}`,
      () => provider.notebook,
      { code_challenge_method: value },
      'invalid_request',
      /transform algorithm/,
    ],
  ),
  ...[
    CHALLENGE.slice(1),
    `${CHALLENGE}A`,
    `${CHALLENGE}=`,
    `${CHALLENGE.slice(1)}+`,
    `${CHALLENGE.slice(1)}.`,
    `${CHALLENGE.slice(1)}~`,
  ].map(
    (value): Refusal => [
      `code_challenge ${value}`,
      () => provider.notebook,
      { code_challenge: value },
      'invalid_request',
      /43 base64url/,
    ],
  ),
];

describe('every other refusal is returned to the application, with its code', () => {
  for (const [name, client, changes, code, words] of REFUSALS) {
    test(`${name}: ${code}`, async () => {
      const answer = await read(client(), changes);

      assert(answer.outcome === 'refused');
      assert.equal(answer.error.code, code);
      assert.match(answer.error.description, words);
      assert.match(answer.error.description, /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
      const location = new URL(answer.returnTo.withAnswer(answer.error));
      assert.equal(location.origin + location.pathname, client().redirectUris[0]);
      assert.equal(location.searchParams.get('error'), code);
      assert.equal(location.searchParams.get('iss'), ISSUER);
      assert.equal(location.searchParams.has('code'), false);
      assert.equal(location.hash, '');
      if (!('state' in changes)) assert.equal(location.searchParams.get('state'), 'af0ifjsldkj');
    });
  }

  const REPEATABLE = [
    'response_type',
    'scope',
    'code_challenge',
    'code_challenge_method',
    'nonce',
    'response_mode',
    'prompt',
    'max_age',
    'request',
    'utm',
  ];
  for (const name of REPEATABLE) {
    for (const [how, first, last] of [
      ['the same value', 'a', 'a'],
      ['an empty one', 'a', ''],
      ['two empty ones', '', ''],
    ] as const) {
      test(`${name} given twice, ${how}: invalid_request`, async () => {
        const { [name]: _, ...others } = askingParameters(provider.notebook);
        const form = new Form([[name, first], ...Object.entries(others), [name, last]]);

        const answer = await readAuthorizationRequest(provider.server, form);

        assert(answer.outcome === 'refused');
        assert.equal(answer.error.code, 'invalid_request');
        assert.equal(answer.error.description, `The parameter ${name} is given more than once.`);
        assert.equal(answer.returnTo.state, 'af0ifjsldkj');
      });
    }
  }

  test('state given twice: invalid_request, and neither is given back', async () => {
    const answer = await readWithMore(provider.notebook, ['state', 'another']);

    assert(answer.outcome === 'refused');
    assert.equal(answer.error.code, 'invalid_request');
    assert.equal(new URL(answer.returnTo.withAnswer(answer.error)).searchParams.has('state'), false);
  });
});

describe('ReturnAddress', () => {
  function returnForm(redirectUri: string | undefined, state: string | undefined): Form {
    const pairs = Object.entries({ redirect_uri: redirectUri, state });
    return new Form(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
  }

  function addressOf(redirectUri: string, state: string | undefined): ReturnAddress {
    const client = { ...provider.notebook, redirectUris: [redirectUri] };
    const found = ReturnAddress.find(client, returnForm(redirectUri, state), ISSUER);
    assert(found);
    return found;
  }

  test('there is none for an address that is not registered', () => {
    assert.equal(ReturnAddress.find(provider.notebook, returnForm(undefined, 's'), ISSUER), undefined);
    assert.equal(
      ReturnAddress.find(provider.notebook, returnForm(`${NOTEBOOK_CALLBACK}#`, 's'), ISSUER),
      undefined,
    );
    assert.equal(
      ReturnAddress.find({ ...provider.notebook, redirectUris: [] }, returnForm('', 's'), ISSUER),
      undefined,
    );
  });

  const ANSWERS: [name: string, redirectUri: string, expected: string][] = [
    [
      'https',
      'https://notebook.example/cb',
      'https://notebook.example/cb?code=c&state=s&iss=https%3A%2F%2Fportico.example',
    ],
    [
      'without a path',
      'https://notebook.example',
      'https://notebook.example?code=c&state=s&iss=https%3A%2F%2Fportico.example',
    ],
    [
      'with a query',
      'https://notebook.example/cb?tenant=a%20b&lang=en',
      'https://notebook.example/cb?tenant=a%20b&lang=en&code=c&state=s&iss=https%3A%2F%2Fportico.example',
    ],
    [
      'loopback',
      'http://127.0.0.1:4180/cb',
      'http://127.0.0.1:4180/cb?code=c&state=s&iss=https%3A%2F%2Fportico.example',
    ],
    [
      'private-use scheme',
      'com.example.pocket:/cb',
      'com.example.pocket:/cb?code=c&state=s&iss=https%3A%2F%2Fportico.example',
    ],
  ];

  for (const [name, redirectUri, expected] of ANSWERS) {
    test(`a code is added to the query: ${name}`, () => {
      assert.equal(addressOf(redirectUri, 's').withAnswer({ code: 'c' }), expected);
    });
  }

  test('a refusal has its code, its description, state and iss', () => {
    const error = new OAuthError('access_denied', 'The member said no & left.');

    assert.equal(
      addressOf('https://notebook.example/cb', 's').withAnswer(error),
      'https://notebook.example/cb?error=access_denied&error_description=The+member+said+no+%26+left.&state=s&iss=https%3A%2F%2Fportico.example',
    );
  });

  test('without a state in the request there is none in the answer', () => {
    assert.equal(
      addressOf('https://notebook.example/cb', undefined).withAnswer({ code: 'c' }),
      'https://notebook.example/cb?code=c&iss=https%3A%2F%2Fportico.example',
    );
  });

  const PRINTABLE = String.fromCodePoint(...Array.from({ length: 0x5f }, (_, offset) => 0x20 + offset));
  const STATES: Record<string, string> = {
    'one character': 'x',
    'a space': ' ',
    'every printable character of ASCII': PRINTABLE,
    'what looks like parameters': 'a&code=evil&iss=https://evil.example#frag',
    'percent signs': '%00%0d%0a%zz%',
    'plus signs': '1+1=2',
    'a line break': 'a\r\nLocation: https://evil.example',
    'control characters': '\x01\x1b\x7f',
    markup: '</script><script>alert(1)</script>',
    'letters outside ASCII': '\u00e9\u4f60\u597d\u202e',
    'an emoji': '\u{1f469}\u200d\u{1f4bb}',
    JSON: '{"next":"/a?b=c","n":[1,2]}',
    'already encoded': 'a%20b%2520',
    '4096 characters': 'x'.repeat(4096),
  };

  for (const [name, state] of Object.entries(STATES)) {
    test(`state comes back as it was, and each parameter once: ${name}`, () => {
      const address = addressOf('https://notebook.example/cb?tenant=a', state);

      for (const [answer, names] of [
        [{ code: 'c' }, ['tenant', 'code', 'state', 'iss']],
        [new OAuthError('access_denied', 'No.'), ['tenant', 'error', 'error_description', 'state', 'iss']],
      ] as const) {
        const location = address.withAnswer(answer);
        const read = new URL(location);
        assert.match(location, /^[\x21-\x7E]+$/);
        assert.equal(read.searchParams.get('state'), state);
        assert.equal(read.searchParams.get('iss'), ISSUER);
        assert.equal(read.searchParams.get('tenant'), 'a');
        assert.deepEqual([...read.searchParams.keys()], names);
        assert.equal(read.hash, '');
        assert.equal(read.origin + read.pathname, 'https://notebook.example/cb');
      }
    });
  }

  test('any state comes back as it was, on any registered address', () => {
    const redirectUris = [
      'https://notebook.example',
      'https://notebook.example/cb',
      'https://notebook.example/cb?',
      'https://notebook.example/cb?tenant=a&x=%3F',
      'http://127.0.0.1:4180/cb',
      'com.example.pocket:/cb',
      'com.example.pocket://cb?x=1',
    ];

    fc.assert(
      fc.property(
        fc.constantFrom(...redirectUris),
        // A parameter with NUL in it is refused, so that no such state ever comes back.
        fc.string({ unit: 'binary', minLength: 1 }).filter((state) => !state.includes('\0')),
        (redirectUri, state) => {
          const read = new URL(addressOf(redirectUri, state).withAnswer({ code: 'c' }));
          const registered = new URL(redirectUri);

          assert.deepEqual(read.searchParams.getAll('state'), [state]);
          assert.deepEqual(read.searchParams.getAll('code'), ['c']);
          assert.deepEqual(read.searchParams.getAll('iss'), [ISSUER]);
          assert.equal(
            read.protocol + read.host + read.pathname,
            registered.protocol + registered.host + registered.pathname,
          );
          for (const [name, value] of registered.searchParams)
            assert.equal(read.searchParams.get(name), value);
        },
      ),
    );
  });
});
