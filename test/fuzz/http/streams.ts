// Streams of bytes as a client sends them: correct requests, and random mutations of them. Words in braces stand
// for what only the running server knows; they are filled in last, so that the same number gives the same stream.

import { crc32 } from 'node:zlib';
import { type Chance, chanceFrom } from '../../../demo/random.ts';
import { asBytes, changed, lengthFor } from '../mutation.ts';
import type { Target } from '../target.ts';

/** What a member's requests contain. */
export interface Credentials {
  username: string;
  host: string;
  apiToken: string;
  session: string;
  formToken: string;
  clientId: string;
  clientSecret: string;
}

function braced(name: string, length: number): string {
  return `{${name.padEnd(length - 2, '_')}}`;
}

function request(method: string, target: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: {host}', ...headers, ...length];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

// In bodies the words in braces are as long as what replaces them, so that Content-Length is right.
const FORM_TOKEN = braced('form', 43);
const CLIENT_ID = braced('client', 26);
const form = 'Content-Type: application/x-www-form-urlencoded';
const cookie = 'Cookie: portico_session={session}; language=en';
const bearer = 'Authorization: Bearer {token}';
const basic = 'Authorization: Basic {basic}';
const MULTIPART = [
  '--x\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n',
  `${FORM_TOKEN}\r\n`,
  '--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
  'not a picture\r\n--x--\r\n',
].join('');

const ME = request('GET', '/api/open/v1/me', [bearer]);
const SETTINGS = request('GET', '/settings/tokens', [cookie, 'Accept-Language: zh;q=0.9, en']);
const AUTHORIZE =
  '/oauth/authorize?response_type=code&client_id={client}&scope=openid&state=s&nonce=n&redirect_uri=' +
  'https%3A%2F%2Fnotebook.example.com%2Fcallback';

const LOGOUT_ANSWER = request(
  'POST',
  '/oauth/logout/answer',
  [form, cookie],
  `form_token=${FORM_TOKEN}&request=a%3Db&seal=x&decision=stay`,
);

const SEEDS: readonly string[] = [
  request('GET', '/'),
  ME,
  SETTINGS,
  ME + SETTINGS + ME,
  ME + request('GET', '/no/such/page') + ME + ME,
  request('GET', '/api/open/v1/me/posts?page=0&size=3', [bearer, 'If-None-Match: "a", W/"b"']),
  request('GET', '/api/open/v1/openapi.json', ['Accept-Encoding: gzip, br']),
  request('HEAD', '/', [cookie]),
  request('OPTIONS', '/api/oauth/token', [
    'Origin: https://a.example',
    'Access-Control-Request-Method: POST',
  ]),
  request('POST', '/api/oauth/token', [form, basic], 'grant_type=refresh_token&refresh_token=svcr_x'),
  request('POST', '/api/oauth/revoke', [form], `token=svco_x&client_id=${CLIENT_ID}`),
  request('GET', '/api/oauth/userinfo', [bearer]),
  request('GET', AUTHORIZE, [cookie]),
  request(
    'POST',
    '/oauth/consent',
    [form, cookie],
    `form_token=${FORM_TOKEN}&request=a%3Db&seal=x&decision=allow`,
  ),
  LOGOUT_ANSWER,
  request('GET', '/oauth/logout?client_id={client}&state=x&post_logout_redirect_uri=https%3A%2F%2Fa.example'),
  request('GET', '/login?return_to=%2Fsettings%2Ftokens&login_hint=x'),
  request('POST', '/login', [form], 'username=nobody&password=x&return_to=%2F'),
  request('POST', '/signup', [form], 'username=x&password=y'),
  request('POST', '/signup', [form]),
  request('GET', '/write', [cookie]),
  request(
    'POST',
    '/write',
    [form, cookie],
    `form_token=${FORM_TOKEN}&title=T&category=1&action=preview&body=%2A%2Aa%2A%2A`,
  ),
  request('POST', '/settings/profile', [form, cookie], `form_token=${FORM_TOKEN}&bio=Words`),
  request(
    'POST',
    '/settings/profile/picture',
    ['Content-Type: multipart/form-data; boundary=x', cookie],
    MULTIPART,
  ),
  request('GET', '/settings/account', [cookie]),
  request('GET', '/search?q=%E9%9D%A2%E5%8C%85&before=12'),
  request('GET', '/?before=1700000000000-1'),
  request('GET', '/posts/1'),
  request('POST', '/posts/1/like', [form, cookie], `form_token=${FORM_TOKEN}`),
  request('GET', '/feed.atom', ['If-Modified-Since: Sun, 22 Nov 2026 00:00:00 GMT', 'Range: bytes=0-10']),
  request('GET', '/icon.svg', ['Range: bytes=0-1,5-9', 'If-None-Match: *']),
  request('GET', '/.well-known/openid-configuration'),
  request('GET', '/docs/errors/invalid_grant'),
  request('POST', '/language', [form], 'language=zh&return_to=%2F'),
  'POST /login HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
    'Transfer-Encoding: chunked\r\n\r\n5\r\nusern\r\n6;a=b\r\name=xx\r\n0\r\nTrailer: x\r\n\r\n',
  'POST /api/oauth/token HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\na=b',
  'GET http://{host}/healthz?x=1 HTTP/1.1\r\nHost: {host}\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: {host}\r\nX: y\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03',
];

/** The target for the generator of inputs. The server does the parsing, so this target checks nothing itself. */
export const HTTP: Target = {
  name: 'http',
  share: 1,
  seeds: SEEDS,
  pieces: [
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    ':',
    ': ',
    '\r\n x: folded',
    'GET / HTTP/1.1\r\n',
    'HTTP/1.0',
    'HTTP/9.9',
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 99999999999999999999\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Host: evil.example\r\n',
    'Host: \r\n',
    'Expect: 200-ok\r\n',
    'Connection: close\r\n',
    'Connection: host, cookie\r\n',
    'Content-Type: text/plain\r\n',
    'Content-Type: multipart/form-data; boundary=\r\n',
    'X-Forwarded-For: 1.2.3.4\r\n',
    'X-Forwarded-Host: evil.example\r\n',
    'Sec-Fetch-Site: cross-site\r\n',
    'Accept-Language: zz\r\n',
    `${bearer}\r\n`,
    `${cookie}\r\n`,
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '/',
    '..',
    '/../',
    '//',
    '?',
    '&',
    '%00',
    '%2e%2e%2f',
    '%',
    '\\',
    '\xFF',
    '\x80',
    '; a="b"',
    'a: b\r\n',
    'form_token=',
  ],
  pairs: [
    ['a: b\r\n', ''],
    ['1\r\na\r\n', '0\r\n\r\n'],
    ['/a', ''],
    ['&a=b', ''],
    ['%25', ''],
  ],
  maxLength: 100_000,
  isBytes: true,
  msPerThousand: 10,
  check() {},
};

/** The stream with this number, and where it is cut into the pieces in which it is sent. */
export function streamAt(seed: number, index: number): { stream: string; cuts: number[] } {
  const chance = chanceFrom(crc32(`${seed} http ${index}`));
  const stream = asBytes(changedSomewhere(chance.pick(SEEDS), chance));
  const count = chance.below(4) === 0 ? 1 + chance.below(5) : 0;
  const cuts = Array.from({ length: count }, () => chance.below(stream.length + 1)).sort((a, b) => a - b);
  return { stream, cuts };
}

// Changes at random places rarely get past Node's HTTP parser, so most are made in one part of a request.
function changedSomewhere(seed: string, chance: Chance): string {
  const changes = chance.below(20) === 0 ? 0 : 1 + chance.below(3);
  const maxLength = lengthFor(HTTP, chance);
  const part = chance.below(4);
  const pattern = PARTS[part];
  if (pattern === undefined) return changed(seed, HTTP, chance, changes, maxLength);
  const [match, before, text = ''] = pattern.exec(seed) ?? [];
  if (match === undefined) return changed(seed, HTTP, chance, changes, maxLength);
  const other = changed(text, HTTP, chance, changes, maxLength);
  // Content-Length is corrected for three of four changed bodies, so that the server reads all of the body.
  const isMeasured = part === PARTS.indexOf(BODY) && chance.below(4) > 0;
  const length = `Content-Length: ${Buffer.byteLength(asBytes(other), 'latin1')}`;
  const start = isMeasured ? (before ?? '').replace(/Content-Length: \d+/, length) : before;
  return start + (isMeasured ? asBytes(other) : other) + seed.slice(match.length);
}

// Each has two groups: the text before the part, and the part.
const TARGET = /^([A-Z]+ )([^\r]*)/;
const HEADER_VALUE = /^([\s\S]*?\r\n[A-Z][a-z-]+: )([^\r]*)/;
const BODY = /^([\s\S]*?\r\n\r\n)([\s\S]+)/;
const PARTS = [TARGET, HEADER_VALUE, BODY];

/** The stream as a member sends it. */
export function filled(
  stream: string,
  { host, apiToken, session, formToken, clientId, clientSecret }: Credentials,
): string {
  const words = {
    host,
    token: apiToken,
    session,
    form: formToken,
    client: clientId,
    [FORM_TOKEN.slice(1, -1)]: formToken,
    [CLIENT_ID.slice(1, -1)]: clientId,
    basic: Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
  };
  let text = stream;
  for (const [name, value] of Object.entries(words)) text = text.replaceAll(`{${name}}`, value);
  return text;
}
