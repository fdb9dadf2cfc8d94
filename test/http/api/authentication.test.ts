// Spec §5.1 and §7.2, RFC 6750: who can call the resource API, and how other callers are refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { deactivateClient } from '../../../src/oauth/client-status.ts';
import { revokeOwnPersonalToken } from '../../../src/oauth/personal-token.ts';
import { mintToken } from '../../../src/oauth/token.ts';
import { type App, openApp } from '../../support/app.ts';
import { browserOf, notebook, type Person, person, setStatus } from '../../support/people.ts';
import { revoke, signInWith } from '../../support/relying-party.ts';
import { ask, askRaw, askWith, challengeOf, challengeWithoutError, objectOf, tokenOf } from './callers.ts';

const CUT_SHORT = 'The token is not an access token of this service, or it was cut short.';

const REFRESH_TOKEN =
  'This is a refresh token. The API takes the access token; send this one to the token endpoint only.';

let app: App;
let alice: Person;
let token: string;

before(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '1000' });
  alice = await person(app.portico, 'alice');
  token = await tokenOf(app, alice);
});
after(() => app.close());

async function assertInvalid(answer: Response, reason: string): Promise<void> {
  const problem = await objectOf(answer, 401);
  assert.deepEqual(problem, {
    type: `${app.url}/docs/errors/invalid_token`,
    title: 'The access token is not accepted',
    status: 401,
    detail: reason,
  });
  assert.equal(
    challengeOf(answer),
    `${challengeWithoutError(app)}, error="invalid_token", error_description="${reason}"`,
  );
}

test('An access token obtained through OAuth 2.0 and a personal token are both accepted', async () => {
  const { access_token } = await signInWith(app, await notebook(app.portico), 'alice');

  const throughApp = await objectOf(await ask(app, '/me', access_token));
  const personal = await objectOf(await ask(app, '/me', token));

  assert.equal(throughApp.username, 'alice');
  assert.deepEqual(personal, throughApp);
});

for (const path of ['', '/', '/me', '/me/posts', '/me/posts?page=x']) {
  test(`Token missing: 401 with a challenge that names no error, at ${path || 'the base'}`, async () => {
    const answer = await askWith(app, path, {});

    assert.equal(challengeOf(answer), challengeWithoutError(app));
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.deepEqual(await objectOf(answer, 401), {
      type: `${app.url}/docs/errors/missing_token`,
      title: 'No access token was sent',
      status: 401,
      detail: 'Send an access token as Authorization: Bearer <token>.',
    });
  });
}

for (const query of ['?access_token=', '?page=1&token=']) {
  test(`A token in the address is ignored, and the answer says that it has leaked: ${query}`, async () => {
    const problem = await objectOf(await askWith(app, `/me${query}${token}`, {}), 401);

    assert.equal(problem.type, `${app.url}/docs/errors/missing_token`);
    assert.match(String(problem.detail), /has leaked: addresses end up in logs\. Revoke it/);
    assert.ok(!JSON.stringify(problem).includes(token));
  });
}

for (const scheme of ['Basic YWxpY2U6c2VjcmV0', 'Digest username="alice"', 'Token', 'Bearers', 'DPoP']) {
  test(`Another scheme is not a bearer token: ${scheme}`, async () => {
    const header = scheme.includes(' ') ? scheme : `${scheme} ${token}`;

    const answer = await askWith(app, '/me', { Authorization: header });

    assert.equal(answer.status, 401);
    assert.equal(challengeOf(answer), challengeWithoutError(app));
  });
}

for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
  test(`The scheme is recognised in any case: "${scheme}"`, async () => {
    const answer = await askWith(app, '/me', { Authorization: `${scheme} ${token}` });

    assert.equal(answer.status, 200);
  });
}

const malformed: [name: string, header: (token: string) => string][] = [
  ['no token', () => 'Bearer'],
  ['two tokens', (text) => `Bearer ${text} ${text}`],
  ['a list', (text) => `Bearer ${text}, ${text}`],
  ['two schemes', (text) => `Bearer ${text}, Bearer ${text}`],
  ['quotation marks', (text) => `Bearer "${text}"`],
  ['a parameter', (text) => `Bearer token=${text}&x`],
  ['a tab', (text) => `Bearer\t${text}`],
];
for (const [name, header] of malformed) {
  test(`A malformed header is answered with 401: ${name}`, async () => {
    const answer = await askWith(app, '/me', { Authorization: header(token) });

    await assertInvalid(answer, 'The Authorization header does not contain exactly one token.');
  });
}

test('Two Authorization headers are never accepted', async () => {
  const valid = `Bearer ${token}`;

  const statuses = await Promise.all([
    askRaw(app, '/me', ['Authorization', valid, 'Authorization', valid]),
    askRaw(app, '/me', ['Authorization', valid, 'Authorization', 'Basic YTpi']),
    askRaw(app, '/me', ['Authorization', 'Basic YTpi', 'Authorization', valid]),
  ]);

  assert.deepEqual(statuses, [401, 401, 401]);
});

const invalid: [name: string, text: (token: string) => string, reason: string][] = [
  ['random text', () => 'abc', CUT_SHORT],
  ['truncated', (text) => text.slice(0, -1), CUT_SHORT],
  ['extended', (text) => `${text}A`, CUT_SHORT],
  ['in another case', (text) => text.toUpperCase(), CUT_SHORT],
  ['of another brand', (text) => `abc${text.slice(3)}`, CUT_SHORT],
  ['a JSON web token', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', CUT_SHORT],
  ['unknown', () => mintToken('access', 'svc', Date.now()).text, 'The token is not known.'],
  [
    'an unknown personal token',
    () => mintToken('personal', 'svc', Date.now()).text,
    'The token is not known.',
  ],
  ['a refresh token', () => mintToken('refresh', 'svc', Date.now()).text, REFRESH_TOKEN],
  [
    'a code',
    () => mintToken('code', 'svc', Date.now()).text,
    'This is an authorization code. Exchange it at the token endpoint for an access token.',
  ],
  [
    'a client secret',
    () => mintToken('clientSecret', 'svc', Date.now()).text,
    'This is the secret of an application. The API takes an access token of a member.',
  ],
];
for (const [name, text, reason] of invalid) {
  test(`Token invalid: 401 with error="invalid_token" (${name})`, async () => {
    const answer = await ask(app, '/me', text(token));

    await assertInvalid(answer, reason);
  });
}

test('A refresh token is not accepted as an access token', async () => {
  const { refresh_token } = await signInWith(app, await notebook(app.portico), 'alice');

  await assertInvalid(await ask(app, '/me', refresh_token), REFRESH_TOKEN);
});

test('Token expired: an access token is answered with 401 after 3600 seconds', async () => {
  const { access_token } = await signInWith(app, await notebook(app.portico), 'alice');

  app.clock.advance(3_599_999);
  const inTime = await ask(app, '/me', access_token);
  app.clock.advance(1);
  const late = await ask(app, '/me', access_token);

  assert.equal(inTime.status, 200);
  await assertInvalid(late, 'The token has expired.');
});

test('Token expired: a personal token is answered with 401 after its lifetime', async () => {
  const fresh = await tokenOf(app, alice);

  app.clock.advance(30 * 86_400_000 - 1);
  const inTime = await ask(app, '/me', fresh);
  app.clock.advance(1);
  const late = await ask(app, '/me', fresh);
  token = await tokenOf(app, alice);

  assert.equal(inTime.status, 200);
  await assertInvalid(late, 'The token has expired.');
});

test('Token revoked: the very next call is answered with 401', async () => {
  const client = await notebook(app.portico);
  const { access_token } = await signInWith(app, client, 'alice');
  const own = await tokenOf(app, alice);
  const [newest] = await app.portico.oauth.reads.personalTokensOf(alice.id);

  await revoke(app, client, access_token);
  await revokeOwnPersonalToken(byMember(alice, app.portico.clock), app.portico.oauth, newest?.id ?? 0);

  await assertInvalid(await ask(app, '/me', access_token), 'The token was revoked.');
  await assertInvalid(await ask(app, '/me', own), 'The token was revoked.');
});

for (const status of ['suspended', 'closed'] as const) {
  test(`The account status is unusable: the very next call is answered with 401 (${status})`, async () => {
    const mallory = await person(app.portico, `mallory-${status}`);
    const own = await tokenOf(app, mallory);
    const { access_token } = await signInWith(app, await notebook(app.portico), mallory.username);
    const before = await ask(app, '/me', own);

    await setStatus(app.portico.identity, mallory.id, status);

    assert.equal(before.status, 200);
    for (const path of ['/', '/me', '/me/posts']) {
      await assertInvalid(await ask(app, path, own), 'The token was revoked.');
      await assertInvalid(await ask(app, path, access_token), 'The token was revoked.');
    }
  });
}

test('The tokens of an account that is active again work again', async () => {
  const bob = await person(app.portico, 'bob');
  const own = await tokenOf(app, bob);

  await app.portico.identity.writes.setStatus(byServer(app.portico.clock), bob.id, 'suspended');
  const meanwhile = await ask(app, '/me', own);
  await app.portico.identity.writes.setStatus(byServer(app.portico.clock), bob.id, 'active');
  const afterwards = await ask(app, '/me', own);

  assert.deepEqual([meanwhile.status, afterwards.status], [401, 200]);
});

test('The tokens of a deactivated application are answered with 401', async () => {
  const client = await notebook(app.portico);
  const { access_token } = await signInWith(app, client, 'alice');

  await deactivateClient(byServer(app.portico.clock), app.portico.oauth, client.id);

  await assertInvalid(await ask(app, '/me', access_token), 'The application is deactivated.');
});

const elsewhere: [
  name: string,
  path: (token: string) => string,
  headers: (token: string) => Record<string, string>,
][] = [
  ['access_token in the address', (text) => `/me?access_token=${text}`, () => ({})],
  ['token in the address', (text) => `/me?token=${text}&authorization=Bearer%20${text}`, () => ({})],
  [
    'a cookie',
    () => '/me',
    (text) => ({ Cookie: `access_token=${text}; token=${text}; Authorization=${text}` }),
  ],
  [
    'another header',
    () => '/me',
    (text) => ({ 'X-Access-Token': text, 'Proxy-Authorization': `Bearer ${text}` }),
  ],
];
for (const [name, path, headers] of elsewhere) {
  test(`A token is read from the Authorization header only, not from ${name}`, async () => {
    const answer = await askWith(app, path(token), headers(token));

    assert.equal(answer.status, 401);
    assert.equal(challengeOf(answer), challengeWithoutError(app));
  });
}

test('A token in the address is ignored next to one in the header', async () => {
  const other = await tokenOf(app, await person(app.portico, 'carol'));

  const profile = await objectOf(await ask(app, `/me?access_token=${other}`, token));

  assert.equal(profile.username, 'alice');
});

test('Cookies are never accepted: a signed-in browser is answered with 401', async () => {
  const browser = await browserOf(app, 'alice');

  const answer = await browser.open('/api/open/v1/me');

  assert.equal(answer.status, 401);
  assert.equal(challengeOf(answer), challengeWithoutError(app));
  assert.deepEqual(answer.headers.getSetCookie(), []);
});
