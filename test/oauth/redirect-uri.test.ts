// Callback addresses: which ones match a registered address.

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

const ALL_REGISTERED = Object.values(REGISTERED).map((parts) => format(parts));

function format({ scheme, host, port, path, query }: Parts): string {
  return `${scheme}//${host}${port}${path}${query}`;
}

function edit(parts: Parts, changes: Partial<Parts>): string {
  return format({ ...parts, ...changes });
}

function capitalised(text: string): string {
  return text.replace(/[a-z]/, (letter) => letter.toUpperCase());
}

// Each changes a registered address into another that some parser might take for the same.
const MUTATIONS: Record<string, (parts: Parts) => string> = {
  'trailing slash': (p) => edit(p, { path: `${p.path}/` }),
  'two trailing slashes': (p) => edit(p, { path: `${p.path}//` }),
  'no path': (p) => edit(p, { path: '' }),
  'only the slash of the path': (p) => edit(p, { path: '/' }),
  'path cut short': (p) => edit(p, { path: p.path.slice(0, -1) }),
  'path prolonged': (p) => edit(p, { path: `${p.path}2` }),
  'path below the registered one': (p) => edit(p, { path: `${p.path}/evil` }),
  'path above the registered one': (p) => edit(p, { path: `/evil${p.path}` }),
  'file extension': (p) => edit(p, { path: `${p.path}.php` }),
  'case of the path': (p) => edit(p, { path: p.path.toUpperCase() }),
  'case of one letter of the path': (p) => edit(p, { path: capitalised(p.path) }),
  'case of the host': (p) =>
    p.host === '127.0.0.1' ? edit(p, { host: 'LOCALHOST' }) : edit(p, { host: p.host.toUpperCase() }),
  'case of the scheme': (p) => edit(p, { scheme: capitalised(p.scheme) }),
  'port 443 written out': (p) => edit(p, { port: ':443' }),
  'port 80 written out': (p) => edit(p, { port: ':80' }),
  'other port': (p) => edit(p, { port: ':4444' }),
  'empty port': (p) => edit(p, { port: ':' }),
  'port with a leading zero': (p) => edit(p, { port: ':04180' }),
  'port beyond 65535': (p) => edit(p, { port: ':65979' }),
  'http for https, and the reverse': (p) => edit(p, { scheme: p.scheme === 'http:' ? 'https:' : 'http:' }),
  'ftp for the scheme': (p) => edit(p, { scheme: 'ftp:' }),
  'javascript for the scheme': (p) => edit(p, { scheme: 'javascript:' }),
  'no scheme': (p) => edit(p, { scheme: '' }),
  'no scheme and no slashes': (p) => `${p.host}${p.port}${p.path}${p.query}`,
  'path alone': (p) => `${p.path}${p.query}`,
  'one slash after the scheme': (p) => `${p.scheme}/${p.host}${p.port}${p.path}${p.query}`,
  'three slashes after the scheme': (p) => `${p.scheme}///${p.host}${p.port}${p.path}${p.query}`,
  'backslashes after the scheme': (p) => `${p.scheme}\\\\${p.host}${p.port}${p.path}${p.query}`,
  'letter before the scheme': (p) => edit(p, { scheme: `x${p.scheme}` }),
  'empty query': (p) => edit(p, { query: '?' }),
  'query dropped or added': (p) => edit(p, { query: p.query === '' ? '?tenant=a' : '' }),
  'one more parameter': (p) => edit(p, { query: `${p.query === '' ? '?' : `${p.query}&`}next=evil` }),
  'ampersand at the end': (p) => edit(p, { query: `${p.query || '?'}&` }),
  'parameters in another order': (p) => edit(p, { query: p.query === '' ? '?b&a' : '?lang=en&tenant=a' }),
  'parameter with another value': (p) => edit(p, { query: p.query === '' ? '?a=1' : '?tenant=b&lang=en' }),
  'question mark percent-encoded': (p) =>
    edit(p, { query: p.query === '' ? '%3F' : `%3F${p.query.slice(1)}` }),
  'encoded dot segment': (p) => edit(p, { path: `/x/%2e%2e${p.path}` }),
  'encoded dot segment in capitals': (p) => edit(p, { path: `/x/%2E%2E${p.path}` }),
  'dot segment': (p) => edit(p, { path: `/x/..${p.path}` }),
  'dot segment at the end': (p) => edit(p, { path: `${p.path}/../evil` }),
  'single dot segment': (p) => edit(p, { path: `/.${p.path}` }),
  'dot segment with a semicolon': (p) => edit(p, { path: `${p.path}/..;/evil` }),
  'path parameter': (p) => edit(p, { path: `${p.path};jsessionid=1` }),
  'backslash for the first slash of the path': (p) => edit(p, { path: p.path.replace('/', '\\') }),
  'backslash at the end': (p) => edit(p, { path: `${p.path}\\` }),
  'double slash in the path': (p) => edit(p, { path: `/${p.path}` }),
  'slash percent-encoded': (p) => edit(p, { path: `/${p.path.slice(1).replaceAll('/', '%2F')}%2F` }),
  'letter of the path percent-encoded': (p) => edit(p, { path: p.path.replace('c', '%63') }),
  'user name before the host': (p) => edit(p, { host: `a@${p.host}` }),
  'user name and password before the host': (p) => edit(p, { host: `a:b@${p.host}` }),
  'empty user name': (p) => edit(p, { host: `@${p.host}` }),
  'registered host as the user name': (p) => edit(p, { host: `${p.host}@evil.example` }),
  'registered host and port as user name and password': (p) =>
    edit(p, { host: `${p.host}:443@evil.example` }),
  'several @, the registered host last': (p) => edit(p, { host: `evil.example@x@${p.host}` }),
  'several @, the registered host first': (p) => edit(p, { host: `${p.host}@x@evil.example` }),
  'backslash before an @': (p) => edit(p, { host: `evil.example\\@${p.host}` }),
  'encoded @': (p) => edit(p, { host: `${p.host}%40evil.example` }),
  fragment: (p) => `${format(p)}#frag`,
  'empty fragment': (p) => `${format(p)}#`,
  'fragment before an @': (p) => edit(p, { host: `evil.example#@${p.host}` }),
  'question mark before an @': (p) => edit(p, { host: `evil.example?@${p.host}` }),
  'encoded fragment': (p) => `${format(p)}%23`,
  'dot after the host': (p) => edit(p, { host: `${p.host}.` }),
  'dot before the host': (p) => edit(p, { host: `.${p.host}` }),
  'trailing space': (p) => `${format(p)} `,
  'trailing plus': (p) => `${format(p)}+`,
  'trailing encoded space': (p) => `${format(p)}%20`,
  'leading space': (p) => ` ${format(p)}`,
  'trailing tab': (p) => `${format(p)}\t`,
  'tab in the scheme': (p) => edit(p, { scheme: `h\t${p.scheme.slice(1)}` }),
  'tab in the host': (p) => edit(p, { host: `${p.host.slice(0, 3)}\t${p.host.slice(3)}` }),
  'trailing newline': (p) => `${format(p)}\n`,
  'trailing carriage return and newline': (p) => `${format(p)}\r\n`,
  'leading newline': (p) => `\n${format(p)}`,
  'newline and a second address': (p) => `${format(p)}\nhttps://evil.example/`,
  'trailing NUL': (p) => `${format(p)}\0`,
  'NUL after the host': (p) => edit(p, { host: `${p.host}\0.evil.example` }),
  'encoded NUL': (p) => `${format(p)}%00`,
  'trailing no-break space': (p) => `${format(p)}\u00a0`,
  'zero-width space': (p) => edit(p, { host: `${p.host.slice(0, 3)}\u200b${p.host.slice(3)}` }),
  'soft hyphen in the host': (p) => edit(p, { host: `${p.host.slice(0, 3)}\u00ad${p.host.slice(3)}` }),
  'byte order mark': (p) => `\ufeff${format(p)}`,
  'right-to-left override': (p) => `${format(p)}\u202e`,
  'full-width letter or digit in the host': (p) =>
    edit(p, {
      host: p.host.replace(/[a-z1]/, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0)),
    }),
  'ideographic full stop in the host': (p) => edit(p, { host: `${p.host.replace('.', '')}\u3002example` }),
  'Cyrillic letter in the host': (p) => edit(p, { host: p.host.replace(/[e1]/, '\u0435') }),
  'letter with an accent': (p) => edit(p, { host: p.host.replace(/[en1]/, '\u00e9') }),
  'punycode host': (p) => edit(p, { host: `xn--${p.host}` }),
  'decomposed character': (p) => `${format(p)}e\u0301`,
  'letter of the host percent-encoded': (p) =>
    edit(p, { host: p.host.replace(/[a-z0-9]/, (c) => `%${(c.codePointAt(0) ?? 0).toString(16)}`) }),
  'registered host as a subdomain': (p) => edit(p, { host: `${p.host}.evil.example` }),
  'registered host as a suffix': (p) => edit(p, { host: `evil-${p.host}` }),
  'subdomain of the registered host': (p) => edit(p, { host: `evil.${p.host}` }),
  'another top-level domain': (p) => edit(p, { host: `${p.host}s` }),
  'another host': (p) => edit(p, { host: 'evil.example' }),
  'registered address as a path': (p) => `https://evil.example/${format(p)}`,
  'registered host and path as a path': (p) => `https://evil.example/${p.host}${p.path}`,
  'registered address as a parameter': (p) => `https://evil.example/?${format(p)}`,
  'registered address as a fragment': (p) => `https://evil.example/#${format(p)}`,
  twice: (p) => format(p) + format(p),
  'two addresses with a space': (p) => `${format(p)} ${format(p)}`,
  'two addresses with a comma': (p) => `${format(p)},${format(p)}`,
  'wildcard host': (p) => edit(p, { host: '*' }),
  'wildcard path': (p) => edit(p, { path: '/*' }),
  'in quotation marks': (p) => `"${format(p)}"`,
  'in angle brackets': (p) => `<${format(p)}>`,
  'percent-encoded once more': (p) => encodeURIComponent(format(p)),
  'loopback by another name': (p) => edit(p, { host: 'localhost' }),
  'loopback in another notation': (p) => edit(p, { host: '127.1' }),
  'loopback as a number': (p) => edit(p, { host: '2130706433' }),
  'loopback in IPv6': (p) => edit(p, { host: '[::1]' }),
  'host in brackets': (p) => edit(p, { host: `[${p.host}]` }),
  'without its first character': (p) => format(p).slice(1),
  'without its last character': (p) => format(p).slice(0, -1),
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
      const registered = format(parts);

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
