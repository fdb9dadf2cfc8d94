// Callback addresses: which lead to a registered application.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isRegistered, problemWithRedirectUri } from '../../src/oauth/redirect-uri.ts';

interface Parts {
  scheme: string;
  host: string;
  port: string;
  path: string;
  query: string;
}

const REGISTERED: Record<string, Parts> = {
  'https, plain': {
    scheme: 'https:',
    host: 'notebook.example',
    port: '',
    path: '/oauth/callback',
    query: '',
  },
  'https with a query': {
    scheme: 'https:',
    host: 'notebook.example',
    port: '',
    path: '/tenant/callback',
    query: '?tenant=a&lang=en',
  },
  'https with a port': { scheme: 'https:', host: 'notebook.example', port: ':8443', path: '/cb', query: '' },
  'loopback with a port': { scheme: 'http:', host: '127.0.0.1', port: ':4180', path: '/callback', query: '' },
  'private-use scheme': {
    scheme: 'com.example.pocket:',
    host: 'signed-in',
    port: '',
    path: '/callback',
    query: '',
  },
};

const ALL_REGISTERED = Object.values(REGISTERED).map((parts) => written(parts));

function written({ scheme, host, port, path, query }: Parts): string {
  return `${scheme}//${host}${port}${path}${query}`;
}

function edited(parts: Parts, changes: Partial<Parts>): string {
  return written({ ...parts, ...changes });
}

function capitalised(text: string): string {
  return text.replace(/[a-z]/, (letter) => letter.toUpperCase());
}

// Each makes another address from the parts of a registered one, which some parser might take for it.
const MUTATIONS: Record<string, (parts: Parts) => string> = {
  'trailing slash': (p) => edited(p, { path: `${p.path}/` }),
  'two trailing slashes': (p) => edited(p, { path: `${p.path}//` }),
  'no path': (p) => edited(p, { path: '' }),
  'only the slash of the path': (p) => edited(p, { path: '/' }),
  'path cut short': (p) => edited(p, { path: p.path.slice(0, -1) }),
  'path prolonged': (p) => edited(p, { path: `${p.path}2` }),
  'path below the registered one': (p) => edited(p, { path: `${p.path}/evil` }),
  'path above the registered one': (p) => edited(p, { path: `/evil${p.path}` }),
  'file extension': (p) => edited(p, { path: `${p.path}.php` }),
  'case of the path': (p) => edited(p, { path: p.path.toUpperCase() }),
  'case of one letter of the path': (p) => edited(p, { path: capitalised(p.path) }),
  'case of the host': (p) =>
    p.host === '127.0.0.1' ? edited(p, { host: 'LOCALHOST' }) : edited(p, { host: p.host.toUpperCase() }),
  'case of the scheme': (p) => edited(p, { scheme: capitalised(p.scheme) }),
  'port 443 written out': (p) => edited(p, { port: ':443' }),
  'port 80 written out': (p) => edited(p, { port: ':80' }),
  'other port': (p) => edited(p, { port: ':4444' }),
  'empty port': (p) => edited(p, { port: ':' }),
  'port with a leading zero': (p) => edited(p, { port: ':04180' }),
  'port beyond 65535': (p) => edited(p, { port: ':65979' }),
  'http for https, and the reverse': (p) => edited(p, { scheme: p.scheme === 'http:' ? 'https:' : 'http:' }),
  'ftp for the scheme': (p) => edited(p, { scheme: 'ftp:' }),
  'javascript for the scheme': (p) => edited(p, { scheme: 'javascript:' }),
  'no scheme': (p) => edited(p, { scheme: '' }),
  'no scheme and no slashes': (p) => `${p.host}${p.port}${p.path}${p.query}`,
  'path alone': (p) => `${p.path}${p.query}`,
  'one slash after the scheme': (p) => `${p.scheme}/${p.host}${p.port}${p.path}${p.query}`,
  'three slashes after the scheme': (p) => `${p.scheme}///${p.host}${p.port}${p.path}${p.query}`,
  'backslashes after the scheme': (p) => `${p.scheme}\\\\${p.host}${p.port}${p.path}${p.query}`,
  'letter before the scheme': (p) => edited(p, { scheme: `x${p.scheme}` }),
  'empty query': (p) => edited(p, { query: '?' }),
  'query dropped or added': (p) => edited(p, { query: p.query === '' ? '?tenant=a' : '' }),
  'one more parameter': (p) => edited(p, { query: `${p.query === '' ? '?' : `${p.query}&`}next=evil` }),
  'ampersand at the end': (p) => edited(p, { query: `${p.query || '?'}&` }),
  'parameters in another order': (p) => edited(p, { query: p.query === '' ? '?b&a' : '?lang=en&tenant=a' }),
  'parameter with another value': (p) => edited(p, { query: p.query === '' ? '?a=1' : '?tenant=b&lang=en' }),
  'question mark percent-encoded': (p) =>
    edited(p, { query: p.query === '' ? '%3F' : `%3F${p.query.slice(1)}` }),
  'encoded dot segment': (p) => edited(p, { path: `/x/%2e%2e${p.path}` }),
  'encoded dot segment in capitals': (p) => edited(p, { path: `/x/%2E%2E${p.path}` }),
  'dot segment': (p) => edited(p, { path: `/x/..${p.path}` }),
  'dot segment at the end': (p) => edited(p, { path: `${p.path}/../evil` }),
  'single dot segment': (p) => edited(p, { path: `/.${p.path}` }),
  'dot segment with a semicolon': (p) => edited(p, { path: `${p.path}/..;/evil` }),
  'path parameter': (p) => edited(p, { path: `${p.path};jsessionid=1` }),
  'backslash for the first slash of the path': (p) => edited(p, { path: p.path.replace('/', '\\') }),
  'backslash at the end': (p) => edited(p, { path: `${p.path}\\` }),
  'double slash in the path': (p) => edited(p, { path: `/${p.path}` }),
  'slash percent-encoded': (p) => edited(p, { path: `/${p.path.slice(1).replaceAll('/', '%2F')}%2F` }),
  'letter of the path percent-encoded': (p) => edited(p, { path: p.path.replace('c', '%63') }),
  'user name before the host': (p) => edited(p, { host: `a@${p.host}` }),
  'user name and password before the host': (p) => edited(p, { host: `a:b@${p.host}` }),
  'empty user name': (p) => edited(p, { host: `@${p.host}` }),
  'registered host as the user name': (p) => edited(p, { host: `${p.host}@evil.example` }),
  'registered host and port as user name and password': (p) =>
    edited(p, { host: `${p.host}:443@evil.example` }),
  'several @, the registered host last': (p) => edited(p, { host: `evil.example@x@${p.host}` }),
  'several @, the registered host first': (p) => edited(p, { host: `${p.host}@x@evil.example` }),
  'backslash before an @': (p) => edited(p, { host: `evil.example\\@${p.host}` }),
  'encoded @': (p) => edited(p, { host: `${p.host}%40evil.example` }),
  fragment: (p) => `${written(p)}#frag`,
  'empty fragment': (p) => `${written(p)}#`,
  'fragment before an @': (p) => edited(p, { host: `evil.example#@${p.host}` }),
  'question mark before an @': (p) => edited(p, { host: `evil.example?@${p.host}` }),
  'encoded fragment': (p) => `${written(p)}%23`,
  'dot after the host': (p) => edited(p, { host: `${p.host}.` }),
  'dot before the host': (p) => edited(p, { host: `.${p.host}` }),
  'trailing space': (p) => `${written(p)} `,
  'trailing plus': (p) => `${written(p)}+`,
  'trailing encoded space': (p) => `${written(p)}%20`,
  'leading space': (p) => ` ${written(p)}`,
  'trailing tab': (p) => `${written(p)}\t`,
  'tab in the scheme': (p) => edited(p, { scheme: `h\t${p.scheme.slice(1)}` }),
  'tab in the host': (p) => edited(p, { host: `${p.host.slice(0, 3)}\t${p.host.slice(3)}` }),
  'trailing newline': (p) => `${written(p)}\n`,
  'trailing carriage return and newline': (p) => `${written(p)}\r\n`,
  'leading newline': (p) => `\n${written(p)}`,
  'newline and a second address': (p) => `${written(p)}\nhttps://evil.example/`,
  'trailing NUL': (p) => `${written(p)}\0`,
  'NUL after the host': (p) => edited(p, { host: `${p.host}\0.evil.example` }),
  'encoded NUL': (p) => `${written(p)}%00`,
  'trailing no-break space': (p) => `${written(p)}\u00a0`,
  'zero-width space': (p) => edited(p, { host: `${p.host.slice(0, 3)}\u200b${p.host.slice(3)}` }),
  'soft hyphen in the host': (p) => edited(p, { host: `${p.host.slice(0, 3)}\u00ad${p.host.slice(3)}` }),
  'byte order mark': (p) => `\ufeff${written(p)}`,
  'right-to-left override': (p) => `${written(p)}\u202e`,
  'full-width letter or digit in the host': (p) =>
    edited(p, {
      host: p.host.replace(/[a-z1]/, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0)),
    }),
  'ideographic full stop in the host': (p) => edited(p, { host: `${p.host.replace('.', '')}\u3002example` }),
  'Cyrillic letter in the host': (p) => edited(p, { host: p.host.replace(/[e1]/, '\u0435') }),
  'letter with an accent': (p) => edited(p, { host: p.host.replace(/[en1]/, '\u00e9') }),
  'punycode host': (p) => edited(p, { host: `xn--${p.host}` }),
  'decomposed character': (p) => `${written(p)}e\u0301`,
  'letter of the host percent-encoded': (p) =>
    edited(p, { host: p.host.replace(/[a-z0-9]/, (c) => `%${(c.codePointAt(0) ?? 0).toString(16)}`) }),
  'registered host as a subdomain': (p) => edited(p, { host: `${p.host}.evil.example` }),
  'registered host as a suffix': (p) => edited(p, { host: `evil-${p.host}` }),
  'subdomain of the registered host': (p) => edited(p, { host: `evil.${p.host}` }),
  'another top-level domain': (p) => edited(p, { host: `${p.host}s` }),
  'another host': (p) => edited(p, { host: 'evil.example' }),
  'registered address as a path': (p) => `https://evil.example/${written(p)}`,
  'registered host and path as a path': (p) => `https://evil.example/${p.host}${p.path}`,
  'registered address as a parameter': (p) => `https://evil.example/?${written(p)}`,
  'registered address as a fragment': (p) => `https://evil.example/#${written(p)}`,
  twice: (p) => written(p) + written(p),
  'two addresses with a space': (p) => `${written(p)} ${written(p)}`,
  'two addresses with a comma': (p) => `${written(p)},${written(p)}`,
  'wildcard host': (p) => edited(p, { host: '*' }),
  'wildcard path': (p) => edited(p, { path: '/*' }),
  'in quotation marks': (p) => `"${written(p)}"`,
  'in angle brackets': (p) => `<${written(p)}>`,
  'percent-encoded once more': (p) => encodeURIComponent(written(p)),
  'loopback by another name': (p) => edited(p, { host: 'localhost' }),
  'loopback in another notation': (p) => edited(p, { host: '127.1' }),
  'loopback as a number': (p) => edited(p, { host: '2130706433' }),
  'loopback in IPv6': (p) => edited(p, { host: '[::1]' }),
  'host in brackets': (p) => edited(p, { host: `[${p.host}]` }),
  'without its first character': (p) => written(p).slice(1),
  'without its last character': (p) => written(p).slice(0, -1),
  empty: () => '',
  'null as text': () => 'null',
  'out-of-band address': () => 'urn:ietf:wg:oauth:2.0:oob',
};

describe('isRegistered: a redirect_uri must equal a registered address exactly (spec §4.1)', () => {
  test('the table has at least sixty mutations', () => {
    assert(Object.keys(MUTATIONS).length >= 60);
  });

  for (const [kind, parts] of Object.entries(REGISTERED)) {
    describe(kind, () => {
      const registered = written(parts);

      test('the exact address is accepted, and can be registered', () => {
        assert.equal(isRegistered(registered, [registered]), true);
        assert.equal(isRegistered(registered, ALL_REGISTERED), true);
        assert.equal(problemWithRedirectUri(registered), undefined);
      });

      for (const [name, mutate] of Object.entries(MUTATIONS)) {
        test(`refused: ${name}`, () => {
          const mutated = mutate(parts);

          assert.equal(isRegistered(mutated, ALL_REGISTERED), false, JSON.stringify(mutated));
        });
      }
    });
  }

  test('no address is accepted if none is registered', () => {
    assert.equal(isRegistered('', []), false);
    assert.equal(isRegistered('https://notebook.example/oauth/callback', []), false);
  });

  test('an address of 64 kB is checked without delay', () => {
    const longOnes = [
      `https://notebook.example/${'a'.repeat(65_536)}`,
      `https://${'a@'.repeat(32_768)}notebook.example/oauth/callback`,
      `https://notebook.example/${'../'.repeat(21_845)}oauth/callback`,
      `https://notebook.example/${'%2e%2e/'.repeat(9_362)}oauth/callback`,
      `https://${'a.'.repeat(32_768)}notebook.example/oauth/callback`,
      `${'a-'.repeat(32_768)}://notebook.example/oauth/callback`,
      `${'com.'.repeat(16_384)}:/callback`,
      `${ALL_REGISTERED[0]}${'?'.repeat(65_536)}`,
    ];
    const startedAt = performance.now();

    for (const long of longOnes) {
      assert.equal(isRegistered(long, ALL_REGISTERED), false);
      assert.equal(problemWithRedirectUri(long), 'The address is longer than 2048 characters.');
    }

    assert(performance.now() - startedAt < 1_000);
  });

  test('an accepted address, as a browser reads it, has the origin and the path of a registered one', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '\\',
        '@',
        '.',
        '..',
        ':',
        '?',
        '#',
        ';',
        '%2e',
        '%2F',
        ' ',
        '\t',
        '\n',
        '\0',
        'evil.example',
      ),
      fc.string({ maxLength: 3 }),
      fc.string({ maxLength: 2, unit: 'binary' }),
    );
    const edit = fc.record({ at: fc.nat(60), remove: fc.nat(3), insert: fc.oneof(fc.constant(''), piece) });
    const candidate = fc
      .tuple(fc.constantFrom(...ALL_REGISTERED), fc.array(edit, { maxLength: 3 }))
      .map(([address, edits]) =>
        edits.reduce(
          (text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove),
          address,
        ),
      );

    fc.assert(
      fc.property(fc.oneof(candidate, fc.webUrl()), (address) => {
        fc.pre(isRegistered(address, ALL_REGISTERED));
        const url = new URL(address);
        const places = ALL_REGISTERED.map((registered) => new URL(registered));

        assert(
          places.some(
            (place) =>
              place.protocol === url.protocol && place.host === url.host && place.pathname === url.pathname,
          ),
        );
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });
});
