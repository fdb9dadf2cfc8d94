// The callback of the flow tester is valid only for a trial of one's own application, in the browser where it began.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { byMember, byServer } from '../../../../src/audit/doer.ts';
import { attempted, hourlyLimit } from '../../../../src/lib/attempt.ts';
import { type App, openApp } from '../../../support/app.ts';
import { Browser } from '../../../support/browser.ts';
import { browserOf, notebook, type Person, person, type RegisteredClient } from '../../../support/people.ts';
import { authorizationRequest } from '../../../support/relying-party.ts';
import { allowed, authorizationAddress, exchangesOn, open, tryOut, tryPath } from './trial-fixture.ts';

const MINUTE = 60_000;

let app: App;
let proxied: App;
let alice: Person;
let browser: Browser;
let client: RegisteredClient;
let other: RegisteredClient;

before(async () => {
  app = await openApp({ DATABASE_URL: 'file::memory:' });
  proxied = await openApp({ DATABASE_URL: 'file::memory:', TRUST_PROXY: '127.0.0.1' });
  alice = await person(app.portico, 'alice');
  await person(app.portico, 'bob');
  browser = await browserOf(app, 'alice');
  client = await notebook(app.portico, { ownerId: alice.id });
  other = await notebook(app.portico, { ownerId: alice.id });
});
after(async () => {
  await app.close();
  await proxied.close();
});

async function assertNoRedirect(visitor: Browser, address: URL): Promise<string> {
  const answer = await open(visitor, address);
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get('location'), null);
  const page = await answer.text();
  assert.match(page, /This sign-in link is not valid/);
  return page;
}

function changed(address: URL, changes: Record<string, string>): URL {
  const copy = new URL(address);
  for (const [name, value] of Object.entries(changes)) copy.searchParams.set(name, value);
  return copy;
}

describe('No code comes back to the tester', () => {
  test('for another member who opens the link', async () => {
    const bob = await browserOf(app, 'bob');

    await assertNoRedirect(bob, await authorizationAddress(browser, client));
  });

  test('for a visitor who is not signed in', async () => {
    await assertNoRedirect(new Browser(app.url), await authorizationAddress(browser, client));
  });

  test('in another browser of the owner', async () => {
    await assertNoRedirect(await browserOf(app, 'alice'), await authorizationAddress(browser, client));
  });

  test('after half an hour, and the owner is told', async () => {
    const address = await authorizationAddress(browser, client);
    app.clock.advance(30 * MINUTE + 1);

    const page = await assertNoRedirect(browser, address);

    assert.match(page, new RegExp(`trial of your application[\\s\\S]*href="${tryPath(client)}"`));
  });

  test('after the owner has given the application away', async () => {
    const address = await authorizationAddress(browser, client);
    const bob = await app.portico.identity.reads.findUserByName('bob');
    await app.portico.oauth.writes.setOwner(byServer(app.portico.clock), client.id, bob?.id ?? 0);

    await assertNoRedirect(browser, address);
    assert.equal((await browser.open(tryPath(client))).status, 404);

    await app.portico.oauth.writes.setOwner(byServer(app.portico.clock), client.id, alice.id);
    assert.equal((await open(browser, address)).status, 200);
  });

  test('for a request that the tester did not make', async () => {
    const address = await authorizationAddress(browser, client);
    const state = address.searchParams.get('state') ?? '';
    const later = `${state.slice(0, 7)}${state[7] === 'A' ? 'B' : 'A'}${state.slice(8)}`;

    for (const forged of ['af0ifjsldkj', state.slice(0, -1), `${state}a`, later, '0'.repeat(65)]) {
      await assertNoRedirect(browser, changed(address, { state: forged }));
    }
    const request = authorizationRequest(client, {
      redirect_uri: address.searchParams.get('redirect_uri') ?? '',
    });
    await assertNoRedirect(browser, new URL(`${app.url}/oauth/authorize?${request}`));
  });

  test('with the state of a trial of another application', async () => {
    const address = await authorizationAddress(browser, client);
    const foreign = await authorizationAddress(browser, other);

    await assertNoRedirect(browser, changed(address, { state: foreign.searchParams.get('state') ?? '' }));
    await assertNoRedirect(browser, changed(address, { client_id: other.id }));
  });

  test('at any other address, compared character by character', async () => {
    const address = await authorizationAddress(browser, client);
    const callback = address.searchParams.get('redirect_uri') ?? '';

    for (const near of [
      `${callback}/`,
      `${callback}?x=1`,
      `${callback}#`,
      callback.replace('/return', ''),
      callback.replace('http:', 'https:'),
      callback.toUpperCase(),
      'https://mallory.example/cb',
    ]) {
      await assertNoRedirect(browser, changed(address, { redirect_uri: near }));
    }
  });

  test('if the consent page is answered too late', async () => {
    const address = await authorizationAddress(browser, client);
    const page = await (await open(browser, address)).text();
    app.clock.advance(31 * MINUTE);

    const answer = await browser.submit(page, '/oauth/consent', { decision: 'allow' });

    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('location'), null);
  });
});

describe('An answer that comes back is refused', () => {
  async function answerOf(): Promise<URL> {
    return allowed(browser, await authorizationAddress(browser, client));
  }

  test('in a browser that is not signed in: the login page does not get the code', async () => {
    const answer = await open(new Browser(app.url), await answerOf());

    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `/login?return_to=${encodeURIComponent(tryPath(client))}`);
  });

  test('for someone else’s application', async () => {
    const bob = await browserOf(app, 'bob');

    assert.equal((await open(bob, await answerOf())).status, 404);
    assert.equal((await bob.open(tryPath(client))).status, 404);
  });

  test('if another trial or none began it', async () => {
    const answer = await answerOf();

    for (const wrong of [{ state: 'x' }, { state: '' }]) {
      const page = await open(browser, changed(answer, wrong));
      assert.equal(page.status, 400);
      assert.match(await page.text(), /This trial is over/);
    }
  });

  test('if it comes too late, and so are the requests that follow', async () => {
    const answer = await answerOf();
    const returned = await (await open(browser, answer)).text();
    app.clock.advance(31 * MINUTE);

    assert.equal((await open(browser, answer)).status, 400);
    const page = await browser.submit(returned, tryPath(client), { client_secret: client.secret });
    assert.equal(page.status, 400);
    assert.deepEqual(exchangesOn(await page.text()), []);
  });

  test('while the application is deactivated, which the page says', async () => {
    const answer = await answerOf();
    const returned = await (await open(browser, answer)).text();
    const by = byMember(alice, app.portico.clock);
    await app.portico.oauth.writes.setClientStatus(by, client.id, 'deactivated');

    const start = await browser.read(tryPath(client));
    assert.match(start, /You deactivated this application/);
    assert.doesNotMatch(start, /Open the authorization page/);
    const page = await browser.submit(returned, tryPath(client), { client_secret: client.secret });
    assert.equal(page.status, 409);
    assert.deepEqual(exchangesOn(await page.text()), []);

    await app.portico.oauth.writes.setClientStatus(by, client.id, 'active');
  });

  test('beyond sixty trials an hour', async () => {
    const returned = await (await open(browser, await answerOf())).text();
    const now = app.portico.clock();
    for (let times = 0; times < 60; times += 1) {
      await attempted(app.portico.identity, hourlyLimit(now, 60, 'trials', alice.id));
    }

    const page = await browser.submit(returned, tryPath(client), { client_secret: client.secret });

    assert.equal(page.status, 429);
    assert.ok(Number(page.headers.get('retry-after')) > 0);
    assert.match(await page.text(), /You’ve tried your applications many times/);
  });
});

test('Behind a proxy, the requests of a trial come from the visitor’s address', async () => {
  const owner = await person(proxied.portico, 'alice');
  const app = await notebook(proxied.portico, { ownerId: owner.id });
  const visitor = new Browser(proxied.url);
  const send = visitor.open.bind(visitor);
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  visitor.open = (path, init = {}) => send(path, { ...init, headers: { ...init.headers, ...headers } });
  visitor.post = (path, body) => send(path, { method: 'POST', body, headers });
  await visitor.signIn('alice', 'a long walk in the rain');

  await tryOut(visitor, app);

  await proxied.portico.inspector.flush();
  const lines = await proxied.portico.oauth.reads.requestLines(app.id, 50);
  assert.deepEqual([...new Set(lines.map(({ network }) => network))].filter(Boolean), ['198.51.100.0/24']);
});
