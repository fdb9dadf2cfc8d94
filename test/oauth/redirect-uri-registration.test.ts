// Callback addresses: which ones can be registered, and which ones any program on the device can receive.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isLoopback, isSharedByDevice, problemWithRedirectUri } from '../../src/oauth/redirect-uri.ts';

const MAY_BE_REGISTERED: Record<string, string> = {
  https: 'https://notebook.example/oauth/callback',
  'https without a path': 'https://notebook.example',
  'https with a slash for a path': 'https://notebook.example/',
  'https with a port': 'https://notebook.example:8443/cb',
  'https with a query': 'https://notebook.example/cb?tenant=a&lang=en',
  'encoded characters': 'https://notebook.example/caf%C3%A9?name=%22a%22',
  'letters in capitals in the path': 'https://notebook.example/OAuth/Callback',
  'punycode host': 'https://xn--caf-dma.example/cb',
  'http on 127.0.0.1': 'http://127.0.0.1:4180/callback',
  'http on 127.0.0.1 without a port': 'http://127.0.0.1/callback',
  'http on another loopback address': 'http://127.8.9.10:4180/callback',
  'http on [::1]': 'http://[::1]:4180/callback',
  'http on localhost': 'http://localhost:3001/callback',
  'https on localhost': 'https://localhost:3001/callback',
  'private-use scheme, one slash': 'com.example.pocket:/callback',
  'private-use scheme, two slashes': 'com.example.pocket://callback',
  'private-use scheme with a digit and a hyphen': 'com.example-2.pocket:/callback',
  'a parameter that only begins like one of the answer':
    'https://notebook.example/cb?codes=1&my_state=2&issue=3',
  'of 2048 characters': `https://notebook.example/${'a'.repeat(2048 - 25)}`,
};

const MAY_NOT_BE_REGISTERED: [name: string, address: string, why: RegExp][] = [
  ['fragment', 'https://notebook.example/cb#x', /fragment/],
  ['empty fragment', 'https://notebook.example/cb#', /fragment/],
  ['http on another host', 'http://notebook.example/cb', /Use https/],
  ['http on a private network', 'http://192.168.0.10/cb', /Use https/],
  ['http on 0.0.0.0', 'http://0.0.0.0/cb', /Use https/],
  ['http on a host that begins like a loopback address', 'http://127.0.0.1.evil.example/cb', /Use https/],
  ['http on a host that begins with localhost', 'http://localhost.evil.example/cb', /Use https/],
  ['http on a host that ends with localhost', 'http://evillocalhost/cb', /Use https/],
  ['http on localhost with a dot', 'http://localhost./cb', /Use https/],
  ['http on an IPv4 address in IPv6', 'http://[::ffff:7f00:1]/cb', /Use https/],
  ['javascript:', 'javascript:alert(1)', /scheme/],
  ['javascript: like an address', 'javascript://notebook.example/%0aalert(1)', /scheme/],
  ['data:', 'data:text/html,hello', /scheme/],
  ['vbscript:', 'vbscript:msgbox(1)', /scheme/],
  ['file:', 'file:///etc/passwd', /scheme/],
  ['blob:', 'blob:https://notebook.example/5a4f', /scheme/],
  ['about:', 'about:blank', /scheme/],
  ['mailto:', 'mailto:mallory@evil.example', /scheme/],
  ['ftp:', 'ftp://notebook.example/cb', /scheme/],
  ['ws:', 'ws://127.0.0.1/cb', /scheme/],
  ['view-source:', 'view-source:https://notebook.example/cb', /scheme/],
  ['intent:', 'intent://cb', /scheme/],
  ['urn:', 'urn:ietf:wg:oauth:2.0:oob', /scheme/],
  ['private-use scheme without a dot', 'pocket:/callback', /scheme/],
  ['private-use scheme with a dot at the end', 'pocket.:/callback', /scheme/],
  ['private-use scheme with two dots together', 'com..pocket:/callback', /scheme/],
  ['relative', '/callback', /not an absolute URL/],
  ['relative with a host', '//notebook.example/callback', /not an absolute URL/],
  ['host alone', 'notebook.example/callback', /not an absolute URL/],
  ['empty', '', /not an absolute URL/],
  ['scheme alone', 'https://', /not an absolute URL/],
  ['port beyond 65535', 'https://notebook.example:65536/cb', /not an absolute URL/],
  ['encoded NUL in the host', 'https://notebook%00.example/cb', /not an absolute URL/],
  ['wildcard host', 'https://*.notebook.example/cb', /wildcard/],
  ['wildcard path', 'https://notebook.example/*', /wildcard/],
  ['user name', 'https://mallory@notebook.example/cb', /user name or password/],
  ['user name and password', 'https://mallory:x@notebook.example/cb', /user name or password/],
  ['password alone', 'https://:x@notebook.example/cb', /user name or password/],
  ['user name without slashes', 'https:mallory@notebook.example/cb', /user name or password/],
  [
    'empty user name',
    'https://@notebook.example/cb',
    /^Write the address as https:\/\/notebook\.example\/cb$/,
  ],
  ['user name in a private-use scheme', 'com.example.pocket://a@callback/', /user name or password/],
  ['2049 characters', `https://notebook.example/${'a'.repeat(2049 - 25)}`, /longer than 2048/],
  ['space', 'https://notebook.example/c b', /space/],
  ['leading space', ' https://notebook.example/cb', /space/],
  ['trailing space', 'https://notebook.example/cb ', /space/],
  ['tab', 'https://notebook.example/c\tb', /control character/],
  ['newline', 'https://notebook.example/cb\n', /control character/],
  ['carriage return', 'https://notebook.example/cb\r\nSet-Cookie: a=b', /control character/],
  ['NUL', 'https://notebook.example/cb\0', /control character/],
  ['DEL', 'https://notebook.example/cb\x7f', /control character/],
  ['letter outside ASCII in the host', 'https://n\u00f6tebook.example/cb', /outside ASCII/],
  ['letter outside ASCII in the path', 'https://notebook.example/caf\u00e9', /outside ASCII/],
  ['full-width letter', 'https://\uff4eotebook.example/cb', /outside ASCII/],
  ['right-to-left override', 'https://notebook.example/\u202ecb', /outside ASCII/],
  ['backslash', 'https://notebook.example\\cb', /must be encoded/],
  ['quotation mark', 'https://notebook.example/"cb"', /must be encoded/],
  ['angle brackets', 'https://notebook.example/<script>', /must be encoded/],
  ['template braces', 'https://notebook.example/{tenant}', /must be encoded/],
  ['parameter code', 'https://notebook.example/cb?code=1', /a parameter code/],
  ['parameter state', 'https://notebook.example/cb?a=1&state=x', /a parameter state/],
  ['parameter error', 'https://notebook.example/cb?error=', /a parameter error/],
  [
    'parameter error_description',
    'https://notebook.example/cb?error_description=x',
    /a parameter error_description/,
  ],
  ['parameter error_uri', 'https://notebook.example/cb?error_uri=x', /a parameter error_uri/],
  ['parameter iss', 'https://notebook.example/cb?iss=https://evil.example', /a parameter iss/],
  ['parameter response', 'https://notebook.example/cb?response=x', /a parameter response/],
  ['parameter code without a value', 'https://notebook.example/cb?code', /a parameter code/],
  ['parameter code, percent-encoded', 'https://notebook.example/cb?%63ode=1', /a parameter code/],
  ['parameter code on a private-use scheme', 'com.example.pocket:/cb?code=1', /a parameter code/],
];

const WRITE_INSTEAD: [name: string, address: string, canonical: string][] = [
  ['scheme in capitals', 'HTTPS://notebook.example/cb', 'https://notebook.example/cb'],
  ['host in capitals', 'https://Notebook.Example/cb', 'https://notebook.example/cb'],
  ['default port of https', 'https://notebook.example:443/cb', 'https://notebook.example/cb'],
  ['default port of http', 'http://127.0.0.1:80/cb', 'http://127.0.0.1/cb'],
  ['empty port', 'https://notebook.example:/cb', 'https://notebook.example/cb'],
  ['port with a leading zero', 'https://notebook.example:08443/cb', 'https://notebook.example:8443/cb'],
  ['dot segment', 'https://notebook.example/a/../cb', 'https://notebook.example/cb'],
  ['encoded dot segment', 'https://notebook.example/a/%2e%2E/cb', 'https://notebook.example/cb'],
  ['single dot segment', 'https://notebook.example/./cb', 'https://notebook.example/cb'],
  ['dot segment in a private-use scheme', 'com.example.pocket:/a/../cb', 'com.example.pocket:/cb'],
  ['query without a path', 'https://notebook.example?tenant=a', 'https://notebook.example/?tenant=a'],
  ['one slash after the scheme', 'https:/notebook.example/cb', 'https://notebook.example/cb'],
  ['no slash after the scheme', 'http:localhost/cb', 'http://localhost/cb'],
  ['three slashes after the scheme', 'https:///notebook.example/cb', 'https://notebook.example/cb'],
  ['percent-encoded host', 'https://n%6ftebook.example/cb', 'https://notebook.example/cb'],
  ['short IPv4 address', 'http://127.1/cb', 'http://127.0.0.1/cb'],
  ['IPv4 address as a number', 'http://2130706433/cb', 'http://127.0.0.1/cb'],
  ['IPv4 address in hexadecimal', 'http://0x7f.0.0.1/cb', 'http://127.0.0.1/cb'],
  ['long IPv6 address', 'http://[0:0:0:0:0:0:0:1]/cb', 'http://[::1]/cb'],
];

describe('problemWithRedirectUri: which addresses can be registered (RFC 9700 §2.6, RFC 8252 §7)', () => {
  for (const [name, address] of Object.entries(MAY_BE_REGISTERED)) {
    test(`accepted: ${name}`, () => {
      assert.equal(problemWithRedirectUri(address), undefined);
    });
  }

  for (const [name, address, why] of MAY_NOT_BE_REGISTERED) {
    test(`refused: ${name}`, () => {
      assert.match(problemWithRedirectUri(address) ?? 'accepted', why);
    });
  }

  for (const [name, address, canonical] of WRITE_INSTEAD) {
    test(`refused with the right spelling: ${name}`, () => {
      assert.equal(problemWithRedirectUri(address), `Write the address as ${canonical}`);
      assert.equal(problemWithRedirectUri(canonical), undefined);
    });
  }

  test('an accepted address has a safe scheme, no fragment and no user, and is the address that a browser opens', () => {
    const scheme = fc.constantFrom(
      'https',
      'http',
      'HTTPS',
      'com.example.app',
      'javascript',
      'data',
      'file',
      'app',
    );
    const host = fc.constantFrom(
      'notebook.example',
      '127.0.0.1',
      'localhost',
      '[::1]',
      'a@b',
      'evil.example',
      '*.x',
      '',
    );
    const address = fc
      .tuple(
        scheme,
        fc.constantFrom('://', ':/', ':', ':///'),
        host,
        fc.webPath(),
        fc.string({ maxLength: 4 }),
      )
      .map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl()), (candidate) => {
        if (problemWithRedirectUri(candidate) !== undefined) return;
        const url = new URL(candidate);

        assert.match(url.protocol, /^(https:|http:|[a-z0-9-]+(\.[a-z0-9-]+)+:)$/);
        assert(url.protocol !== 'http:' || /^(127(\.\d+){3}|localhost|\[::1\])$/.test(url.hostname));
        assert.equal(url.hash, '');
        assert(!candidate.includes('#'));
        assert.equal(url.username + url.password, '');
        assert([candidate, `${candidate}/`].includes(url.href));
      }),
      { numRuns: 2_000 },
    );
  });
});

const LOOPBACK: [hostname: string, expected: boolean][] = [
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.254', true],
  ['[::1]', true],
  ['127.0.0.1.evil.com', false],
  ['localhost.evil.com', false],
  ['evil.localhost.com', false],
  ['evillocalhost', false],
  ['localhost.', false],
  ['127.1', false],
  ['127.0.0.1.', false],
  ['127.0.0', false],
  ['127.0.0.1.1', false],
  ['1127.0.0.1', false],
  ['127.0.0.1\n', false],
  ['x127.0.0.1', false],
  ['127a0b0c1', false],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['::1', false],
  ['[::]', false],
  ['[::2]', false],
  ['[::ffff:7f00:1]', false],
  ['LOCALHOST', false],
  ['', false],
];

describe('isLoopback: the hosts of a parsed URL that are the browser’s own machine', () => {
  for (const [hostname, expected] of LOOPBACK) {
    test(`${JSON.stringify(hostname)}: ${expected ? 'yes' : 'no'}`, () => {
      assert.equal(isLoopback(hostname), expected);
    });
  }
});

const SHARED: [address: string, expected: boolean][] = [
  ['https://pocket.example/signed-in', false],
  ['https://127.0.0.1.evil.example/cb', false],
  ['https://localhost.evil.example/cb', false],
  ['http://127.0.0.1:4180/callback', true],
  ['http://127.9.9.9/callback', true],
  ['http://[::1]:4180/callback', true],
  ['http://localhost:4180/callback', true],
  ['https://localhost:4180/callback', true],
  ['https://127.0.0.1/callback', true],
  ['com.example.pocket:/callback', true],
  ['com.example.pocket://callback', true],
  ['not an address', true],
];

describe('isSharedByDevice: a loopback address or a private-use scheme (RFC 8252 §8.6, contract §3)', () => {
  for (const [address, expected] of SHARED) {
    test(`${address}: ${expected ? 'yes' : 'no'}`, () => {
      assert.equal(isSharedByDevice(address), expected);
    });
  }
});
