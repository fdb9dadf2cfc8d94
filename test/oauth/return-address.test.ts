// The return address of an authorization request: application, callback and state (RFC 6749 §4.1.2).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { ReturnAddress } from '../../src/oauth/authorization-request.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import { Form } from '../../src/oauth/form.ts';
import { ISSUER, NOTEBOOK_CALLBACK } from './provider.ts';
import { openFixture, provider } from './request-fixture.ts';

before(openFixture);
after(() => provider.close());

describe('ReturnAddress', () => {
  function returnForm(redirectUri: string | undefined, state: string | undefined): Form {
    const pairs = Object.entries({ redirect_uri: redirectUri, state });
    return new Form(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
  }

  function addressOf(redirectUri: string, state: string | undefined): ReturnAddress {
    const client = { ...provider.notebook, redirectUris: [redirectUri] };
    const returnTo = ReturnAddress.find(client, returnForm(redirectUri, state), ISSUER);
    assert(returnTo);
    return returnTo;
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

  test('a trial’s callback counts for its request only, and is compared exactly', () => {
    const trial = 'https://portico.example/try/return';
    const find = (redirectUri: string, callback: string | undefined) =>
      ReturnAddress.find(provider.notebook, returnForm(redirectUri, 's'), ISSUER, () => callback);

    assert.equal(find(trial, trial)?.redirectUri, trial);
    assert.equal(find(NOTEBOOK_CALLBACK, trial)?.redirectUri, NOTEBOOK_CALLBACK);
    for (const other of [`${trial}/`, `${trial}?`, trial.toUpperCase(), 'https://mallory.example/cb']) {
      assert.equal(find(other, trial), undefined);
    }
    assert.equal(find(trial, undefined), undefined);
    assert.equal(
      ReturnAddress.find(provider.notebook, returnForm(undefined, 's'), ISSUER, () => undefined),
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
        const url = new URL(location);
        assert.match(location, /^[\x21-\x7E]+$/);
        assert.equal(url.searchParams.get('state'), state);
        assert.equal(url.searchParams.get('iss'), ISSUER);
        assert.equal(url.searchParams.get('tenant'), 'a');
        assert.deepEqual([...url.searchParams.keys()], names);
        assert.equal(url.hash, '');
        assert.equal(url.origin + url.pathname, 'https://notebook.example/cb');
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
        // A parameter with NUL is refused, so no answer contains such a state.
        fc.string({ unit: 'binary', minLength: 1 }).filter((state) => !state.includes('\0')),
        (redirectUri, state) => {
          const url = new URL(addressOf(redirectUri, state).withAnswer({ code: 'c' }));
          const registered = new URL(redirectUri);

          assert.deepEqual(url.searchParams.getAll('state'), [state]);
          assert.deepEqual(url.searchParams.getAll('code'), ['c']);
          assert.deepEqual(url.searchParams.getAll('iss'), [ISSUER]);
          assert.equal(
            url.protocol + url.host + url.pathname,
            registered.protocol + registered.host + registered.pathname,
          );
          for (const [name, value] of registered.searchParams)
            assert.equal(url.searchParams.get(name), value);
        },
      ),
    );
  });
});
