// The rules for the address and the content of a document in which an application describes itself.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../src/lib/clock.ts';
import {
  checkDocumentUrl,
  documentPolicyOf,
  freshFor,
  readDocument,
  UnusableDocument,
} from '../../src/oauth/client-document.ts';

const ISSUER = 'https://portico.example';
const URL = 'https://assistant.example/oauth/client.json';

const DOCUMENT = {
  client_id: URL,
  client_name: 'Assistant',
  redirect_uris: ['https://assistant.example/callback'],
};

function read(more: object): ReturnType<typeof readDocument> {
  return readDocument(URL, Buffer.from(JSON.stringify({ ...DOCUMENT, ...more })));
}

describe('An application can have as its id:', () => {
  for (const address of [
    URL,
    'https://assistant.example/a',
    'https://xn--bcher-kva.example/client',
    'https://a.b.assistant.example/%7Ex/',
  ]) {
    test(address, () => checkDocumentUrl(address, ISSUER));
  }
});

describe('An application can’t have as its id:', () => {
  const refused: Record<string, RegExp> = {
    'https://': /not a URL/,
    'https://assistant.example': /must have a path/,
    'https://assistant.example/': /must have a path/,
    'https://assistant.example/a#b': /fragment/,
    'https://assistant.example/a#': /fragment/,
    'https://assistant.example/a?b=c': /query/,
    'https://assistant.example/a?': /query/,
    'https://me@assistant.example/a': /user name/,
    'https://me:pw@assistant.example/a': /user name/,
    'https://assistant.example:8443/a': /port, here 8443/,
    'https://assistant.example:443/a': /as browsers write it/,
    'https://assistant.example/a/../b': /as browsers write it/,
    'https://assistant.example/./b': /as browsers write it/,
    'https://assistant.example/%2e%2e/b': /as browsers write it/,
    'https://Assistant.example/a': /as browsers write it/,
    'https://assistant.example\\a': /as browsers write it/,
    'https://bücher.example/a': /as browsers write it/,
    'https://assistant.example/a b': /as browsers write it/,
    'https://assistant.example./a': /domain name/,
    'https://localhost/a': /domain name/,
    'https://8.8.8.8/a': /domain name/,
    'https://[2606:4700::1]/a': /domain name/,
    'https://0x7f.1/a': /as browsers write it/,
    'https://portico.example/a': /this community itself/,
    [`https://assistant.example/${'a'.repeat(500)}`]: /longer than 500/,
  };
  for (const [address, message] of Object.entries(refused)) {
    test(address.slice(0, 60), () => {
      assert.throws(
        () => checkDocumentUrl(address, ISSUER),
        (error) => {
          assert.ok(error instanceof UnusableDocument);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});

test('A document with a name and an address describes an application that can read', () => {
  assert.deepEqual(read({ logo_uri: 'https://assistant.example/logo.png', anything: { else: 1 } }), {
    claimedName: 'Assistant',
    redirectUris: ['https://assistant.example/callback'],
    scopes: ['profile:read', 'posts:read'],
  });
  assert.deepEqual(read({ scope: 'posts:read offline_access' }).scopes, ['posts:read']);
  assert.deepEqual(read({ scope: 'openid email' }).scopes, ['profile:read', 'posts:read']);
  const named = { token_endpoint_auth_method: 'none', response_types: ['code'] };
  assert.equal(
    read({ ...named, grant_types: ['authorization_code', 'refresh_token'] }).claimedName,
    'Assistant',
  );
});

test('Only addresses of its own host and of the member’s device count, each once', () => {
  const kept = ['http://127.0.0.1:33418/', 'http://localhost:8400/cb', 'https://assistant.example/callback'];
  const left = [
    'https://elsewhere.example/callback',
    'https://sub.assistant.example/callback',
    'https://assistant.example:8443/callback',
    'http://assistant.example/callback',
    'https://assistant.example/a#b',
    'https://assistant.example/*',
    'https://assistant.example/cb?code=1',
    'com.example.app:/callback',
    'javascript:alert(1)',
  ];

  assert.deepEqual(read({ redirect_uris: [...left, ...kept, ...kept] }).redirectUris, kept);
  for (const uri of left) assert.throws(() => read({ redirect_uris: [uri] }), /no address that can be used/);
});

describe('A document is refused', () => {
  const refused: Record<string, [object, RegExp]> = {
    'of another address': [{ client_id: `${URL}/` }, /client_id in the document must be/],
    'without its address': [{ client_id: undefined }, /not missing/],
    'with a secret': [{ client_secret: 'x' }, /must not have client_secret/],
    'with the end of a secret': [{ client_secret_expires_at: 0 }, /must not have client_secret_expires_at/],
    'with a method that needs a secret': [
      { token_endpoint_auth_method: 'client_secret_post' },
      /must be none, not "client_secret_post"/,
    ],
    'with keys in place of a secret': [{ token_endpoint_auth_method: 'private_key_jwt' }, /must be none/],
    'without authorization codes': [{ grant_types: ['client_credentials'] }, /grant_types must contain/],
    'with another response type': [{ response_types: 'token' }, /response_types must contain code/],
    'without a name': [{ client_name: undefined }, /client_name/],
    'with an empty name': [{ client_name: '  ' }, /client_name/],
    'with a long name': [{ client_name: 'a'.repeat(61) }, /1 to 60/],
    'with a hidden character in its name': [{ client_name: 'Cl\u202Eaude' }, /visible/],
    'with a number as its name': [{ client_name: 7 }, /client_name/],
    'without addresses': [{ redirect_uris: undefined }, /redirect_uris must be a list/],
    'with no address': [{ redirect_uris: [] }, /redirect_uris must be a list/],
    'with an address that is no text': [{ redirect_uris: [7] }, /redirect_uris must be a list/],
    'with too many addresses': [
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://assistant.example/${n}`) },
      /at most 20/,
    ],
  };
  for (const [title, [more, message]] of Object.entries(refused)) {
    test(title, () => assert.throws(() => read(more), message));
  }
  for (const text of ['', '[]', 'null', '"x"', '{', '\uFFFE', '{"client_id":1}x']) {
    test(`that is no object: ${JSON.stringify(text)}`, () => {
      assert.throws(() => readDocument(URL, Buffer.from(text)), UnusableDocument);
    });
  }
  test('that is not UTF-8', () => {
    assert.throws(() => readDocument(URL, Uint8Array.of(0x22, 0xff, 0x22)), /UTF-8/);
  });
});

test('A document is fresh as its site says, between five minutes and a day, and otherwise an hour', () => {
  const expected: [string | undefined, number][] = [
    [undefined, HOUR],
    ['public', HOUR],
    ['max-age=0', 5 * MINUTE],
    ['public, max-age=1800', 30 * MINUTE],
    ['Max-Age="7200"', 2 * HOUR],
    ['max-age=99999999', DAY],
    ['no-store', 5 * MINUTE],
    ['no-cache, max-age=7200', 5 * MINUTE],
    ['max-age=soon', HOUR],
  ];
  for (const [header, time] of expected) assert.equal(freshFor(header), time, header ?? 'none');
});

test('These applications are trusted as those that members register', () => {
  assert.equal(documentPolicyOf(true, 'open'), 'open');
  assert.equal(documentPolicyOf(true, 'approval'), 'approval');
  assert.equal(documentPolicyOf(true, 'operators'), 'known');
  assert.equal(documentPolicyOf(false, 'open'), 'off');
});
