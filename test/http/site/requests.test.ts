// The page with an application's requests: its owner and the operators see each as it comes, and no one else does.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { deactivateClient } from '../../../src/oauth/client-status.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { type Member, member, notebook, type RegisteredClient } from '../../support/people.ts';
import { authorizationRequest, callApi, postForm, signInWith } from '../../support/relying-party.ts';

let app: App;
let nina: Member;
let alice: Member;
let client: RegisteredClient;

before(async () => {
  app = await openApp();
  nina = await member(app, 'nina');
  alice = await member(app, 'alice');
  client = await notebook(app.portico, { ownerId: nina.id });
});
after(() => app.close());

function pathOf({ id }: { id: string }): string {
  return `/developers/apps/${id}/requests`;
}

async function requestsOf(one: RegisteredClient, query = ''): Promise<string> {
  await app.portico.inspector.flush();
  return nina.browser.read(pathOf(one) + query);
}

function count(page: string): number {
  return page.split('<li id="request-').length - 1;
}

test('the owner and the operators see the requests; others, moderators among them, see no such page', async () => {
  const olga = await member(app, 'olga', { isOperator: true });
  const mona = await member(app, 'mona');
  await app.portico.identity.writes.setRole(byServer(app.portico.clock), mona.id, 'moderator');
  for (const path of [pathOf(client), `${pathOf(client)}/events`]) {
    for (const other of [alice.browser, mona.browser]) {
      const answer = await other.open(path);
      assert.equal(answer.status, 404);
      assert.ok(!(await answer.text()).includes('Notebook'));
    }
    assert.match((await new Browser(app.url).open(path)).headers.get('location') ?? '', /^\/login\?/);
  }
  assert.equal((await nina.browser.open(pathOf(client))).status, 200);
  assert.equal((await olga.browser.open(pathOf(client))).status, 200);
  assert.ok((await olga.browser.read('/operator/applications')).includes(`href="${pathOf(client)}"`));
});

test('of a deactivated application, too', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  await deactivateClient(byServer(app.portico.clock), app.portico.oauth, one.id);
  await postForm(app, '/api/oauth/token', { client_id: one.id, client_secret: one.secret, grant_type: 'x' });

  assert.match(await requestsOf(one), /The application is deactivated\./);
});

test('the error id on a member’s page leads the developer to the request', async () => {
  const request = authorizationRequest(client, { redirect_uri: 'https://notebook.example.com/callbak' });
  const page = await alice.browser.read(`/oauth/authorize?${request}`);
  const link = /href="(\/developers\/apps\/[^"]+)">I am the developer/.exec(page)?.[1] ?? '';
  const id = /error=(\w{8})$/.exec(link)?.[1] ?? '';
  assert.ok(page.includes(`<code>${id}</code>`), page);

  await app.portico.inspector.flush();
  assert.equal((await alice.browser.open(link)).status, 404);
  const found = await nina.browser.read(link);
  assert.match(found, new RegExp(`The request with the error id ${id} is open below\\.`));
  assert.match(found, new RegExp(`<li id="request-${id}-\\d+"[^>]*class="wanted">\\s*<details open>`));
  assert.match(await requestsOf(client, '?error=abcdefgh'), /There is no request with the error id abcdefgh/);
});

test('a page without such an application has no link to requests', async () => {
  const page = await alice.browser.read('/oauth/authorize?client_id=app_none');

  assert.match(page, /Error id <code>\w{8}<\/code>/);
  assert.doesNotMatch(page, /developers\/apps/);
});

test('requests with unknown ids, forged tokens and no token leave nothing', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const { access_token: token } = await signInWith(app, one, 'alice');
  const before = count(await requestsOf(one));
  const forged = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  await Promise.all([
    alice.browser.open('/oauth/authorize?client_id=app_0000000000000000000000'),
    postForm(app, '/api/oauth/token', { client_id: 'app_none', grant_type: 'refresh_token' }),
    callApi(app, '/me', forged),
    fetch(`${app.url}/api/open/v1/me`),
    fetch(`${app.url}/api/open/v1/nothing`),
  ]);

  assert.equal(count(await requestsOf(one)), before);
});

test('the page of the problems has only these, and a mistake beside a success is one', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const { access_token: token } = await signInWith(app, one, 'alice', 'profile:read posts:reed');
  await callApi(app, '/me', token);

  const [all, problems] = [await requestsOf(one), await requestsOf(one, '?show=problems')];

  // The consent page, the code, the tokens and the call.
  assert.equal(count(all), 4);
  assert.equal(count(problems), 2);
  assert.match(problems, /With a mistake/);
  assert.doesNotMatch(all, /alice/);
});

test('a long list has pages', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const facts = { endpoint: 'api', outcome: 'read', status: 200, broken: [] } as const;
  const now = app.portico.clock();
  const lines = Array.from({ length: 150 }, (_, n) => {
    const times = { minute: now - n, firstAt: now - n, lastAt: now - n };
    const rest = { facts, network: '', program: '', requests: 1, kind: 'read' } as const;
    return { clientId: one.id, id: `line${n}`.padEnd(8, 'x'), ...times, ...rest };
  });
  await app.portico.oauth.writes.addRequestLines(one.id, lines);

  const [first, second] = [await requestsOf(one), await requestsOf(one, '?page=2')];

  assert.deepEqual([count(first), count(second)], [100, 50]);
  assert.match(first, /page=2/);
  // Only the first page gets new requests.
  assert.deepEqual(
    [first, second].map((page) => page.includes('src="/requests.')),
    [true, false],
  );
  assert.match(await requestsOf(one, '?error=line149x'), /id="request-line149x-/);
});

test('ten different texts of a page are compared, equal ones once, and the line that was asked for', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const now = app.portico.clock();
  const registered = 'https://notebook.example.com/callback';
  const lineOf = (id: string, came: string, age: number) => {
    const times = { minute: now - age, firstAt: now - age, lastAt: now - age };
    const broken = [{ rule: 'redirect_uri_unregistered', came, expected: [registered] }] as const;
    const facts = { endpoint: 'authorize', outcome: 'refused', status: 400, broken } as const;
    const from = { network: '192.0.2.0/24', program: '' };
    return { clientId: one.id, ...times, id, kind: 'anyone', facts, ...from, requests: 1 } as const;
  };
  const different = Array.from({ length: 15 }, (_, n) => lineOf(`differ${n + 10}`, `${registered}/${n}`, n));
  const equal = Array.from({ length: 15 }, (_, n) => lineOf('theequal', `${registered}/9`, 15 + n));
  await app.portico.oauth.writes.addRequestLines(one.id, [...different, ...equal]);
  const marked = (page: string) =>
    page.split('<li id="request-').filter((line) => line.includes('<mark>')).length;

  const page = await requestsOf(one);

  assert.equal(count(page), 30);
  assert.equal(marked(page), 10 + 15);
  const [link = '', ...others] = page.match(/\?error=differ\d\d(?=">Show where they differ)/g) ?? [];
  assert.deepEqual(
    [link, ...others],
    [20, 21, 22, 23, 24].map((n) => `?error=differ${n}`),
  );
  assert.equal(marked(await requestsOf(one, link)), 11 + 15);
});

test('the page is read 150 times a minute at most', async () => {
  const olivia = await member(app, 'olivia');
  const one = await notebook(app.portico, { ownerId: olivia.id });
  const statusOf = async () => (await olivia.browser.open(pathOf(one))).status;

  for (let n = 0; n < 150; n += 1) assert.equal(await statusOf(), 200);
  assert.equal(await statusOf(), 429);
  app.clock.advance(60_000);
  assert.equal(await statusOf(), 200);
});

/** Open the event stream of an application. */
async function events(one: RegisteredClient) {
  const answer = await nina.browser.open(`${pathOf(one)}/events`);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert(reader !== undefined);
  return { answer, reader };
}

test('the page learns of a new request while it is open, also through a proxy that collects answers', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const { answer, reader } = await events(one);
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  assert.equal(answer.headers.get('x-accel-buffering'), 'no');
  assert.equal((await reader.read()).value, 'retry: 3000\n\n');

  await alice.browser.open(`/oauth/authorize?${authorizationRequest(one, { state: '' })}`);

  assert.equal((await reader.read()).value, 'event: requests\ndata: new\n\n');
  await reader.cancel();
});

test('asking for the stream with HEAD takes the place of no reader', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const statuses: number[] = [];
  for (let request = 0; request < 6; request += 1) {
    statuses.push((await nina.browser.open(`${pathOf(one)}/events`, { method: 'HEAD' })).status);
  }
  assert.deepEqual(statuses, Array(6).fill(200));
});

test('the stream ends before it tells anything to one who no longer owns the application', async () => {
  const one = await notebook(app.portico, { ownerId: nina.id });
  const { reader } = await events(one);
  await reader.read();

  await app.portico.identity.writes.setStatus(byServer(app.portico.clock), nina.id, 'suspended');
  await alice.browser.open(`/oauth/authorize?${authorizationRequest(one, { state: '' })}`);

  assert.deepEqual(await reader.read(), { value: undefined, done: true });
  await app.portico.identity.writes.setStatus(byServer(app.portico.clock), nina.id, 'active');
});
