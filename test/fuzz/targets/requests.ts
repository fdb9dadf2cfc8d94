// The parsers of HTTP requests: headers, addresses and bodies.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { parse } from 'hono/utils/cookie';
import { searchPosts } from '../../../src/community/search.ts';
import { type BareRequest, queryOf, requestPath } from '../../../src/http/answer.ts';
import { jsonAnswer, render } from '../../../src/http/api/answer.ts';
import { clientAddress } from '../../../src/http/client-address.ts';
import { readPageQuery } from '../../../src/http/page-query.ts';
import { localPath } from '../../../src/http/pages/form-page.ts';
import { chooseLanguage } from '../../../src/http/pages/language.ts';
import { numberIn } from '../../../src/http/pages/numbers.ts';
import { uiLocalesOfReturn } from '../../../src/http/pages/return-path.ts';
import { readUpload } from '../../../src/http/pages/upload.ts';
import type { PageContext, PageEnv } from '../../../src/http/pages/visitor.ts';
import { HttpRefusal } from '../../../src/http/problem.ts';
import { bodyPairs, UnreadableForm } from '../../../src/http/request-form.ts';
import { cursorInQuery } from '../../../src/http/site/lists/frame.ts';
import { withFoundWords } from '../../../src/lib/found-words.ts';
import { DEFAULT_SETTINGS } from '../../../src/site/settings.ts';
import { stage } from '../stage.ts';
import { refusable, refusableAsync, type Target } from '../target.ts';

const addressBehind = clientAddress(['10.0.0.0/8', '192.168.1.1', 'fd00::/8', '::1']);
const BODY = render({ a: 1 });
const MULTIPART_TYPE = 'multipart/form-data; boundary=x';
const MULTIPART = [
  '--x\r\nContent-Disposition: form-data; name="form_token"\r\n\r\ntoken\r\n',
  '--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
  '\x89PNG\r\n\x1A\n\r\n--x--\r\n',
].join('');

// Only what the readers of bodies use.
function contextOf(type: string, body: string): PageContext {
  const bytes = Buffer.from(body, 'latin1');
  const half = bytes.length >> 1;
  const incoming = Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
  const header = (name: string) => (name.toLowerCase() === 'content-type' ? type : undefined);
  const visitor = { visit: undefined, language: 'en', timeZone: 'UTC', secret: undefined };
  const known: Record<string, unknown> = { visitor };
  const env = { incoming: Object.assign(incoming, { socket: {} }), outgoing: new EventEmitter() };
  return { req: { header }, env, get: (name: string) => known[name] } as unknown as PageContext;
}

export const REQUEST_TARGETS: readonly Target[] = [
  {
    name: 'accept-language',
    share: 4,
    seeds: ['zh-CN,zh;q=0.9,en;q=0.8', 'en', '*;q=0', 'en;q=1.000;level=1'],
    pieces: [',', ';', ';q=', 'q=.', '-', 'zh', 'en', '0.', ' '],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      assert.match(chooseLanguage(undefined, input), /^(?:en|zh)$/);
      assert.match(chooseLanguage(input, undefined), /^(?:en|zh)$/);
    },
  },
  {
    name: 'forwarded-for',
    share: 4,
    seeds: ['203.0.113.7, 10.0.0.1', '2001:db8::7', '::ffff:203.0.113.7', '[2001:db8::7]:4000', 'unknown'],
    pieces: [',', ':', '::', '.', '10.0.0.1', 'fd00::1', '::ffff:', '%eth0', '[', ']', '0x7f', ':80'],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      const socket = { remoteAddress: '10.0.0.1' };
      const incoming = { socket, headers: { 'x-forwarded-for': input } };
      const address = addressBehind({ env: { incoming } });
      assert.equal(typeof address, 'string');
      assert.ok(isIP(address.replace('/64', '')) !== 0, `an address ${address}`);
      // Another proxy's word counts for nothing.
      const direct = { socket: { remoteAddress: '203.0.113.9' }, headers: incoming.headers };
      assert.equal(addressBehind({ env: { incoming: direct } }), '203.0.113.9');
    },
  },
  {
    name: 'cookie',
    share: 4,
    seeds: ['portico_session=abc; language=zh', '__Host-session="x"; a=b'],
    pieces: [';', '; ', '=', '"', '%', '%ff', 'portico_session=', '__proto__=', ','],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      const cookies = parse(input, 'portico_session');
      assert.ok(['string', 'undefined'].includes(typeof cookies.portico_session));
      parse(input);
    },
  },
  {
    name: 'page-query',
    share: 4,
    seeds: ['/api/open/v1/me/posts?page=1&size=20', '/?page=-1', 'http://h/me?size=51'],
    pieces: ['&page=', '&size=', '?', '#', '%31', '+', '-', '0', '&'],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      const query = refusable(() => readPageQuery({ url: input } as BareRequest), HttpRefusal);
      if (query === undefined) return;
      const { page, size } = query;
      assert.ok(Number.isSafeInteger(page) && page >= 0 && Number.isInteger(size) && size >= 1 && size <= 50);
      // The databases count with 64 bits.
      assert.ok(page * size < 2 ** 63);
    },
  },
  {
    name: 'target',
    share: 4,
    seeds: ['/api/open/v1/me?x=1', 'http://h/api/', '/a%2Fb', '*', 'h:443', '/oauth/authorize?ui_locales=zh'],
    pieces: ['/', '//', '%2e', '%', '%ff', '?', '#', '\\', ';', 'http://', '@'],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      assert.equal(typeof requestPath({ url: input } as BareRequest), 'string');
      queryOf({ url: input });
      uiLocalesOfReturn(input);
      const path = localPath(input);
      const landed = URL.parse(path, 'https://portico.example');
      assert.equal(landed?.origin, 'https://portico.example', 'a return to another site');
    },
  },
  {
    name: 'if-none-match',
    share: 3,
    seeds: ['*', BODY.entityTag, `W/${BODY.entityTag}, "b"`, '"a", "b"'],
    pieces: [',', '"', 'W/', '*', ' ', BODY.entityTag],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 5,
    check(input) {
      const request = { headers: { 'if-none-match': input } } as BareRequest;
      const { status } = jsonAnswer(request, BODY, []);
      assert.ok(status === 200 || input.trim() === '*' || input.includes(BODY.entityTag));
      const listed = { headers: { 'if-none-match': `"a", ${BODY.entityTag}` } } as BareRequest;
      assert.equal(jsonAnswer(listed, BODY, []).status, 304);
    },
  },
  {
    name: 'cursor',
    share: 3,
    seeds: ['1700000000000-12', '12', '000-000'],
    pieces: ['-', '0', '9', '1e9', ' '],
    maxLength: 1000,
    msPerThousand: 5,
    check(input) {
      const context = { req: { query: () => input } } as unknown as PageContext;
      const place = cursorInQuery(context);
      if (place !== undefined) assert.ok(Number.isSafeInteger(place.at) && Number.isSafeInteger(place.id));
      const number = numberIn(input);
      if (number !== undefined) assert.equal(String(number), input);
    },
  },
  {
    name: 'search-query',
    share: 5,
    seeds: ['bread topic7', '面包很好', 'words ไทย', '"a" OR b*', 'NEAR(a b)'],
    pieces: ['"', '*', 'AND', 'OR', 'NOT', 'NEAR(', ':', '^', '面', '\0', "'", '-', ' '],
    maxLength: 10_000,
    msPerThousand: 20,
    async check(input) {
      const { portico } = await stage();
      const result = await searchPosts(portico.community, { text: input, order: 'new' });
      assert.ok((result?.posts.length ?? 0) <= 2);
      withFoundWords(input, { phrases: result?.phrases ?? [['bread']], isCompleted: true });
    },
  },
  {
    name: 'form-body',
    share: 5,
    seeds: ['a=1&b=2', 'title=x&body=%E4%B8%AD&form_token=t', ''],
    pieces: ['&', '=', '+', '%', '%00', '%ff', '&a=', ';', '\xFF', '\xF0\x9F'],
    maxLength: 1_100_000,
    isBytes: true,
    msPerThousand: 0.5,
    async check(input) {
      const c = contextOf('application/x-www-form-urlencoded', input);
      const pairs = await refusableAsync(() => bodyPairs(c), UnreadableForm);
      assert.ok(pairs === undefined || pairs.length <= 1000);
    },
  },
  {
    name: 'multipart',
    share: 4,
    seeds: [MULTIPART, '--x--\r\n', MULTIPART.replaceAll('\r\n', '\n')],
    pieces: [
      '--x\r\n',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="a"\r\n\r\n',
      'filename="',
      "filename*=utf-8''%",
      '"',
      ';',
      '\0',
    ],
    maxLength: 60_000,
    longPerThousand: 15,
    isBytes: true,
    msPerThousand: 5,
    async check(input) {
      const app = new Hono<PageEnv>();
      app.post('/', async (c) => {
        c.set('site', {
          ...DEFAULT_SETTINGS,
          baseUrl: 'http://localhost',
          securityContact: undefined,
        });
        c.set('visitor', { visit: undefined, language: 'en', timeZone: 'UTC', secret: 'a'.repeat(40) });
        const upload = await refusableAsync(
          () => readUpload(c, 'picture', 50_000, { userId: 1, address: '192.0.2.1' }),
          UnreadableForm,
        );
        return upload instanceof Response ? upload : c.text('read');
      });
      app.onError((error) => {
        throw error;
      });
      const { env } = contextOf(MULTIPART_TYPE, input);
      const headers = { 'Content-Type': MULTIPART_TYPE };
      const answer = await app.request('/', { method: 'POST', headers }, env);
      assert.ok(answer.status === 200 || answer.status === 403);
    },
  },
];
