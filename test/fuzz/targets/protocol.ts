// The parsers of the protocol: credentials, addresses, forms and requests.

import assert from 'node:assert/strict';
import { formTargetsFor } from '../../../src/http/security-headers.ts';
import { checksumOf, endsInChecksum, readSecret } from '../../../src/lib/secrets.ts';
import { readAuthorizationRequest } from '../../../src/oauth/authorization-request.ts';
import { readBearerToken } from '../../../src/oauth/bearer-token.ts';
import { readBasicCredentials } from '../../../src/oauth/client-authentication.ts';
import { OAuthError } from '../../../src/oauth/errors.ts';
import { Form } from '../../../src/oauth/form.ts';
import { readLogoutRequest } from '../../../src/oauth/logout-request.ts';
import { isCodeChallenge, verifierMatches } from '../../../src/oauth/pkce.ts';
import { isRegistered, isSharedByDevice, problemWithRedirectUri } from '../../../src/oauth/redirect-uri.ts';
import { formatScope, parseScope, SCOPES } from '../../../src/oauth/scope.ts';
import { mintToken, readToken } from '../../../src/oauth/token.ts';
import { CALLBACK, SIGNED_OUT, stage } from '../stage.ts';
import { refusable, refusableAsync, type Target } from '../target.ts';

const TOKEN = 'svco_0Vd4x2XKq7rT9yB3nM5wZ1aC6eG8hJ0kL2pQ4sU6vX8yA1bD3fH5jN7';
const SEALED = TOKEN + checksumOf(TOKEN);
const BASIC = `Basic ${Buffer.from('app_1:s3cr%3At').toString('base64')}`;
const WITH_NUL = `Basic ${Buffer.from('app\0:x').toString('base64')}`;
const HEADER_PIECES = [
  ' ',
  ',',
  '=',
  '==',
  ':',
  '%',
  '%00',
  '+',
  '/',
  '-',
  '~',
  'Bearer ',
  'Basic ',
  'svcp_',
  '\t',
];
const URIS = [
  CALLBACK,
  'https://a.example:8443/cb?x=1&y=%20',
  'http://127.0.0.1:4000/cb',
  'http://[::1]/cb',
  'com.example.app:/oauth/callback',
  'https://xn--fsqu00a.example/cb',
];
const URI_PIECES = [
  '/',
  '//',
  '\\',
  '@',
  'user:pw@',
  '#',
  '#f',
  '?',
  '&code=1',
  '?state=x',
  '%2e%2e/',
  '../',
  '%00',
  ';',
  "'",
  ' ',
  "'self'",
  'https:',
  'javascript:',
  'http://',
  '127.1',
  '0x7f.1',
  'localhost',
  '.localhost',
  '[::ffff:127.0.0.1]',
  ':65536',
  ':443',
  '*',
  '.',
  '%E4%B8%AD',
];
const REQUEST = new URLSearchParams({
  response_type: 'code',
  redirect_uri: CALLBACK,
  scope: 'openid profile:read',
  state: 's+%/=',
  nonce: 'n',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  prompt: 'login',
  max_age: '60',
  ui_locales: 'zh en',
}).toString();
const REQUEST_PIECES = [
  '&',
  '=',
  '+',
  '&state=',
  '&state=%FF',
  '&scope=',
  '&redirect_uri=',
  '&client_id=',
  '&prompt=none',
  '&request=x',
  '&claims=%7B%7D',
  '&max_age=-1',
  '&response_mode=form_post',
  '&id_token_hint=eyJhbGciOiJSUzI1NiJ9.e30.AA',
  '%00',
  '%0d%0a',
  ' ',
];

export const PROTOCOL_TARGETS: readonly Target[] = [
  {
    name: 'token',
    share: 6,
    seeds: [SEALED, mintToken('refresh', 'svc', 0).text.slice(0, 5), SEALED.replace('svco', 'svcp')],
    pieces: ['svc', 'svco_', 'svcr_', '_', '0', 'z', '{', '-', '%'],
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 1,
    check(input) {
      const token = readToken(input, 'svc');
      readSecret(input);
      verifierMatches(input, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
      if (isCodeChallenge(input)) assert.equal(Buffer.from(input, 'base64url').length, 32);
      if (token === undefined) return;
      assert.equal(input.length, SEALED.length);
      assert.equal(checksumOf(input.slice(0, -6)), input.slice(-6));
      assert.ok(endsInChecksum(input) && input.startsWith('svc') && input.slice(5).startsWith(token.key));
    },
  },
  {
    name: 'minted-token',
    share: 2,
    seeds: ['svc', 'a1', 'community12'],
    pieces: ['a', '1', '_', 'o_'],
    maxLength: 12,
    msPerThousand: 1,
    check(input) {
      if (!/^[a-z][a-z0-9]{1,11}$/.test(input)) return;
      const { text, key, digest } = mintToken('refresh', input, 1_800_000_000_000);
      assert.deepEqual(readToken(text, input), { kind: 'refresh', key, digest });
      assert.equal(readToken(`${text}0`, input), undefined);
    },
  },
  {
    name: 'basic-header',
    share: 5,
    seeds: [BASIC, WITH_NUL, 'Basic ', `basic  ${BASIC.slice(6)}`],
    pieces: [...HEADER_PIECES, BASIC],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 3,
    check(input) {
      const credentials = refusable(() => readBasicCredentials(input), OAuthError);
      if (typeof credentials === 'object') assert.ok(credentials.id !== '' && !credentials.id.includes('\0'));
      // Credentials that are encoded according to RFC 6749 are decoded unchanged.
      if (!input.isWellFormed() || input.includes('\0')) return;
      const encoded = [`a${input}`, `b${input}`].map(encodeURIComponent).join(':');
      const header = `Basic ${Buffer.from(encoded).toString('base64')}`;
      assert.deepEqual(readBasicCredentials(header), { id: `a${input}`, secret: `b${input}` });
    },
  },
  {
    name: 'bearer-header',
    share: 5,
    seeds: [`Bearer ${SEALED}`, 'bearer abc==', BASIC],
    pieces: [...HEADER_PIECES, SEALED],
    maxLength: 16_000,
    longPerThousand: 15,
    msPerThousand: 3,
    check(input) {
      const token = refusable(() => readBearerToken(input), OAuthError);
      if (token !== undefined) assert.match(token, /^[A-Za-z0-9._~+/-]+=*$/);
    },
  },
  {
    name: 'redirect-uri',
    share: 8,
    seeds: URIS,
    pieces: URI_PIECES,
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 2,
    check(input) {
      for (const uri of URIS) assert.equal(isRegistered(input, [uri]), input === uri);
      isSharedByDevice(input);
      const sources = formTargetsFor(input);
      if (problemWithRedirectUri(input) !== undefined) return;
      const url = new URL(input);
      assert.ok(url.href === input || url.href === `${input}/`, 'a second spelling');
      assert.equal(url.username + url.password + url.hash, '');
      assert.doesNotMatch(input, /[\s*<>"\\^`{|}]/);
      assert.ok(!url.searchParams.has('code') && !url.searchParams.has('state'));
      assert.ok(!['javascript:', 'data:', 'blob:', 'file:'].includes(url.protocol));
      // They stand in a header, between spaces and semicolons.
      for (const source of sources) assert.match(source, /^[\w.+:/[\]-]+$/);
    },
  },
  {
    name: 'scope',
    share: 3,
    seeds: ['openid profile:read', 'posts:read'],
    pieces: [' ', '  ', 'openid', '"', '\\', 'é'],
    maxLength: 100_000,
    longPerThousand: 15,
    msPerThousand: 2,
    check(input) {
      const scopes = parseScope(input);
      if (scopes === undefined) return;
      assert.deepEqual(
        scopes,
        SCOPES.filter((scope) => scopes.includes(scope)),
      );
      assert.deepEqual(parseScope(formatScope(scopes)), scopes);
    },
  },
  {
    name: 'authorization-request',
    share: 5,
    seeds: [REQUEST],
    pieces: REQUEST_PIECES,
    maxLength: 20_000,
    msPerThousand: 10,
    async check(input) {
      const { portico, client } = await stage();
      const pairs = new URLSearchParams(`client_id=${client.id}&${input}`);
      const read = await readAuthorizationRequest(portico.oauth, new Form(pairs));
      if (read.outcome === 'no_redirect') return;
      const returnTo = read.outcome === 'request' ? read.request.returnTo : read.returnTo;
      assert.deepEqual(pairs.getAll('redirect_uri'), [returnTo.redirectUri]);
      assert.ok(isRegistered(returnTo.redirectUri, client.redirectUris));
      const answer = new URL(returnTo.withAnswer({ code: 'c' }));
      assert.ok(answer.href.startsWith(returnTo.redirectUri));
      assert.equal(answer.searchParams.get('code'), 'c');
      if (returnTo.state !== undefined) {
        assert.equal(answer.searchParams.get('state'), returnTo.state.toWellFormed());
      }
    },
  },
  {
    name: 'logout-request',
    share: 3,
    seeds: [`post_logout_redirect_uri=${encodeURIComponent(SIGNED_OUT)}&state=x&id_token_hint=e.e.e`],
    pieces: REQUEST_PIECES,
    maxLength: 20_000,
    msPerThousand: 10,
    async check(input) {
      const { portico, client } = await stage();
      const form = new Form(new URLSearchParams(`client_id=${client.id}&${input}`));
      const request = await refusableAsync(() => readLogoutRequest(portico.oauth, form), OAuthError);
      if (request?.returnTo !== undefined) assert.ok(request.returnTo.startsWith(SIGNED_OUT));
    },
  },
];
