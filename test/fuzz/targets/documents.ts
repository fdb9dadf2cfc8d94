// The addresses and documents in which applications describe themselves.

import assert from 'node:assert/strict';
import { checkDocumentUrl, readDocument, UnusableDocument } from '../../../src/oauth/client-document.ts';
import { refusable, type Target } from '../target.ts';

const ADDRESS = 'https://assistant.example/client.json';
const DOCUMENT = JSON.stringify({
  client_id: ADDRESS,
  client_name: 'Assistant',
  redirect_uris: ['https://assistant.example/callback', 'http://127.0.0.1:33418/'],
  token_endpoint_auth_method: 'none',
  scope: 'posts:read',
});

export const DOCUMENT_TARGETS: readonly Target[] = [
  {
    name: 'document-address',
    share: 3,
    seeds: [ADDRESS, 'https://xn--fsqu00a.example/a', 'https://127.0.0.1/a', 'https://a.b/../c'],
    pieces: [
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '@',
      ':443',
      ':8443',
      '?',
      '#',
      '[::1]',
      '0x7f.1',
      'localhost',
      '中',
      ' ',
    ],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 2,
    check(input) {
      let isRefused = false;
      try {
        checkDocumentUrl(input, 'https://portico.example');
      } catch (error) {
        assert.ok(error instanceof UnusableDocument);
        isRefused = true;
      }
      if (isRefused || !input.startsWith('https://')) return;
      const url = new URL(input);
      assert.equal(url.href, input);
      assert.equal(url.username + url.password + url.port + url.search + url.hash, '');
      assert.match(url.hostname, /[a-z]/);
      assert.doesNotMatch(url.pathname, /^\/$|\/\.\.?(?:\/|$)/);
    },
  },
  {
    name: 'client-document',
    share: 3,
    seeds: [DOCUMENT, '{}', '[]', 'null'],
    pieces: [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'null',
      '1e999',
      '"__proto__":',
      '"client_secret":',
      '\\u0000',
      '\uFEFF',
    ],
    pairs: [
      ['[', ']'],
      ['{"a":', '}'],
    ],
    maxLength: 5 * 1024,
    msPerThousand: 5,
    check(input) {
      const described = refusable(() => readDocument(ADDRESS, Buffer.from(input)), UnusableDocument);
      if (described === undefined) return;
      const { claimedName, redirectUris, scopes } = described;
      assert.ok(claimedName.length > 0 && [...claimedName].length <= 60);
      assert.ok(redirectUris.length > 0 && scopes.length > 0);
      for (const uri of redirectUris) {
        const { origin, hostname, protocol } = new URL(uri);
        assert.ok(
          origin === 'https://assistant.example' ||
            (protocol === 'http:' && hostname !== 'assistant.example'),
        );
      }
    },
  },
];
