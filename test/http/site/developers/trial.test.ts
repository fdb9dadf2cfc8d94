// Trying the sign-in of one's own application: every request of it, as a program would send it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type App, openApp } from '../../../support/app.ts';
import { type Browser, decodeEntities } from '../../../support/browser.ts';
import {
  browserOf,
  notebook,
  type Person,
  person,
  pocket,
  publish,
  type RegisteredClient,
} from '../../../support/people.ts';
import { atOnce, callApi, signInWith } from '../../../support/relying-party.ts';
import {
  allowed,
  authorizationAddress,
  exchangesOn,
  livingSignIns,
  open,
  sendRequests,
  tryOut,
  tryPath,
} from './trial-fixture.ts';

const MINUTE = 60_000;

let app: App;
let alice: Person;
let browser: Browser;
let server: RegisteredClient;
let phone: RegisteredClient;
let elliptic: RegisteredClient;

before(async () => {
  app = await openApp({ DATABASE_URL: 'file::memory:' });
  alice = await person(app.portico, 'alice');
  await publish(app.portico, alice, 'On bread');
  browser = await browserOf(app, 'alice');
  server = await notebook(app.portico, { ownerId: alice.id });
  phone = await pocket(app.portico, { ownerId: alice.id });
  elliptic = await pocket(app.portico, { ownerId: alice.id, idTokenAlg: 'ES256' });
});
after(() => app.close());

const ALL = [
  'POST /api/oauth/token authorization_code 200 · as it should be',
  'GET /api/open/v1/me 200 · as it should be',
  'GET /api/open/v1/me/posts?page=0&size=2 200 · as it should be',
  'GET /api/oauth/userinfo 200 · as it should be',
  'GET /.well-known/jwks.json 200 · as it should be',
  'POST /api/oauth/token refresh_token 200 · as it should be',
  'POST /api/oauth/revoke 200 · as it should be',
  'GET /api/open/v1/ 401 · as it should be',
  'POST /api/oauth/token refresh_token 200 · as it should be',
  'POST /api/oauth/token refresh_token 400 · as it should be',
  'GET /api/open/v1/ 401 · as it should be',
  'POST /api/oauth/revoke 200 · as it should be',
];

describe('The owner of an application', () => {
  test('sees the exact authorization request, with each parameter explained', async () => {
    const address = await authorizationAddress(browser, server);
    const page = await browser.read(tryPath(server));

    assert.equal(address.origin + address.pathname, `${app.url}/oauth/authorize`);
    const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(address.searchParams);
    assert.deepEqual(others, {
      response_type: 'code',
      client_id: server.id,
      redirect_uri: `${app.url}${tryPath(server)}/return`,
      scope: 'openid profile:read posts:read',
      code_challenge_method: 'S256',
      prompt: 'consent',
    });
    assert.match(`${state} ${nonce} ${challenge}`, /^[\w-]{65} [\w-]{43} [\w-]{43}$/);
    for (const name of address.searchParams.keys()) {
      assert.match(page, new RegExp(`<code>${name}</code></td>[\\s\\S]*?data-label="What it is for">[A-Z]`));
    }
  });

  for (const [kind, clientOf] of [
    ['a server app', () => server],
    ['a public application', () => phone],
    ['an application with ES256', () => elliptic],
  ] as const) {
    test(`runs the whole sign-in of ${kind}, and nothing of it is left`, async () => {
      const page = await tryOut(browser, clientOf());

      assert.deepEqual(exchangesOn(page), ALL);
      assert.match(page, /12 requests were sent\. The sign-in has ended/);
      assert.match(decodeEntities(page), /"username": "alice"[\s\S]*"title": "On bread"[\s\S]*"sub": "\d+"/);
      assert.match(page, /7 of 7 checks passed/);
      assert.equal(await livingSignIns(app, clientOf(), alice.id), 0);
    });
  }

  test('sees which errors the refusals are, with a link to the page about each', async () => {
    const page = await tryOut(browser, phone);

    const links = [...page.matchAll(/href="(\/docs\/errors\/\w+)"/g)].map(([, path]) => path);
    assert.deepEqual(links, [
      '/docs/errors/invalid_token',
      '/docs/errors/invalid_grant',
      '/docs/errors/invalid_token',
    ]);
  });

  test('sees no secret and no token in full', async () => {
    const page = await tryOut(browser, server);

    assert.doesNotMatch(page, /svc[orcs]_[0-9A-Za-z]{20}/);
    assert.doesNotMatch(page, /eyJ[\w-]+\.[\w-]+\.[\w-]+/);
    assert.match(page, /client_secret=svcs_\w{5}…\w{4}/);
    assert.match(decodeEntities(page), /"refresh_token": "svcr_\w{5}…\w{4}"/);
  });

  test('chooses what to ask for', async () => {
    const signIn = await tryOut(browser, phone, ['openid']);
    const posts = await tryOut(browser, phone, ['posts:read', 'unknown']);

    assert.deepEqual(exchangesOn(signIn), [ALL[0], ...ALL.slice(3)]);
    assert.deepEqual(exchangesOn(posts), [ALL[0], ALL[2], ...ALL.slice(5)]);
    assert.doesNotMatch(posts, /checks passed/);
  });

  test('unticks a scope on the consent page, and sees that the tester respects it', async () => {
    const address = await authorizationAddress(browser, phone);
    const answer = await allowed(browser, address, { scope: ['profile:read'] });

    const page = await sendRequests(browser, phone, answer);

    assert.deepEqual(
      exchangesOn(page),
      ALL.filter((line) => !line.includes('/posts')),
    );
    assert.match(decodeEntities(page), /"scope": "openid profile:read"/);
  });

  test('allows one sign-in only, and sees what is possible without a refresh token', async () => {
    const address = await authorizationAddress(browser, phone, ['profile:read']);
    const page = await sendRequests(browser, phone, await allowed(browser, address, { duration: 'once' }));

    assert.deepEqual(exchangesOn(page), [ALL[0], ALL[1], ALL[6], ALL[7], ALL[11]]);
    assert.doesNotMatch(page, /refresh_token=/);
  });

  test('denies, and sees what the application gets then', async () => {
    const answer = await allowed(browser, await authorizationAddress(browser, server), { decision: 'deny' });
    const page = await (await open(browser, answer)).text();

    assert.match(
      decodeEntities(page),
      /GET \/developers\/apps\/\w+\/try\/return\?error=access_denied&error_desc/,
    );
    assert.match(page, /There is no code[\s\S]*href="\/docs\/errors\/access_denied"/);
    assert.doesNotMatch(page, /client_secret/);
  });

  test('pastes a wrong secret, sees the refusal, and goes on with the right one', async () => {
    const answer = await allowed(browser, await authorizationAddress(browser, server));
    const refused = await sendRequests(browser, server, answer, 'my other password 1234567890');

    assert.deepEqual(exchangesOn(refused), [
      'POST /api/oauth/token authorization_code 401 · not as it should be',
    ]);
    assert.match(refused, /The code was not exchanged[\s\S]*href="\/docs\/errors\/invalid_client"/);
    assert.doesNotMatch(refused, /my other|password 1234/);

    const page = await (
      await browser.submit(refused, tryPath(server), { client_secret: server.secret })
    ).text();
    assert.deepEqual(exchangesOn(page), ALL);
  });

  test('waits too long, and sees that the code has expired', async () => {
    const answer = await allowed(browser, await authorizationAddress(browser, server));
    app.clock.advance(6 * MINUTE);

    const page = await sendRequests(browser, server, answer);

    assert.deepEqual(exchangesOn(page), [
      'POST /api/oauth/token authorization_code 400 · not as it should be',
    ]);
    assert.match(decodeEntities(page), /The authorization code has expired/);
    assert.doesNotMatch(page, /name="client_secret"/);
  });

  test('finds the requests of a trial, and its consent, where those of other programs are', async () => {
    const client = await notebook(app.portico, { ownerId: alice.id, name: 'Trial list' });
    await tryOut(browser, client);
    await app.portico.inspector.flush();

    const lines = await app.portico.oauth.reads.requestLines(client.id, 50);
    const seen = lines.map(({ facts }) => `${facts.endpoint} ${facts.broken[0]?.rule ?? facts.outcome}`);
    assert.deepEqual([...new Set(seen)].sort(), [
      'api access_token_revoked',
      'api read',
      'authorize code_issued',
      'authorize consent_asked',
      'revoke revoked',
      'token refresh_token_used',
      'token tokens_issued',
    ]);
    const overview = await browser.read(`/developers/apps/${client.id}`);
    assert.match(overview, /Old refresh tokens used<\/dt>\s*<dd>\s*1\b/);
    assert.doesNotMatch(overview, /<code>[^<]*\/try\/return/);
    const hours = await app.portico.oauth.reads.clientHours(client.id, 0);
    assert.deepEqual(
      hours.filter(({ what }) => what.startsWith('callback')),
      [],
    );
    assert.match(await browser.read('/settings/apps'), /Trial list/);
  });

  test('starts from the overview, in English and in Chinese', async () => {
    const chinese = await browserOf(app, 'alice', 'zh');

    assert.match(await browser.read(`/developers/apps/${server.id}`), /href="\/developers\/apps\/\w+\/try"/);
    assert.match(await chinese.read(tryPath(server)), /试运行登录[\s\S]*打开授权页面/);
    assert.match(await tryOut(chinese, phone), /已发送 12 个请求/);
  });
});

describe('Sending the requests again', () => {
  let tokens: { access_token: string };

  before(async () => {
    tokens = await signInWith(app, phone, 'alice');
  });

  async function assertSafe(pages: readonly string[]): Promise<void> {
    const refused = pages.filter((page) => page.includes('This code was sent already'));
    assert.equal(refused.length, pages.length - 1);
    // A code that is presented twice would end this sign-in too.
    assert.equal((await callApi(app, '/me', tokens.access_token)).status, 200);
  }

  test('is refused, and the owner’s other sign-ins stay', async () => {
    const answer = await allowed(browser, await authorizationAddress(browser, phone));
    const returned = await (await open(browser, answer)).text();
    const send = async () => (await browser.submit(returned, tryPath(phone))).text();

    await assertSafe([await send(), await send()]);
    app.clock.advance(10 * MINUTE);
    await assertSafe([await send(), '']);
    assert.match(await (await open(browser, answer)).text(), /This code was sent already/);
  });

  test('is refused, also twice at once', async () => {
    const answer = await allowed(browser, await authorizationAddress(browser, phone));
    const returned = await (await open(browser, answer)).text();
    const answers = await atOnce(app, 8, () => browser.submit(returned, tryPath(phone)));

    await assertSafe(await Promise.all(answers.map((one) => one.text())));
  });
});
