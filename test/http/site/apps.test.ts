// Connected applications: a member sees what each can read and does read, and takes back as much as they want.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import type { DiaryLine } from '../../../src/oauth/access-diary-store.ts';
import { writeBatch } from '../../../src/oauth/diary-batch.ts';
import { readIdTokenHint } from '../../../src/oauth/id-token.ts';
import { type App, openApp } from '../../support/app.ts';
import { type Browser, formIn } from '../../support/browser.ts';
import { browserOf, notebook, PASSWORD, person, type RegisteredClient } from '../../support/people.ts';
import { askToken, callApi, signInWith } from '../../support/relying-party.ts';

let app: App;
let browser: Browser;
let client: RegisteredClient;
let path: string;

beforeEach(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  const owner = await person(app.portico, 'olga');
  client = await notebook(app.portico, { name: 'Diary', ownerId: owner.id });
  browser = await browserOf(app, 'alice');
  path = `/settings/apps/${client.id}`;
});
afterEach(() => app.close());

async function html(at: string): Promise<string> {
  await app.portico.mergeDiary();
  return (await browser.open(at)).text();
}

async function text(at: string): Promise<string> {
  return (await html(at))
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

async function submit(
  at: string,
  action: string,
  fields: Record<string, string | string[]>,
): Promise<Response> {
  return browser.submit(await html(at), action, fields);
}

function refresh(token: string): Promise<Response> {
  return askToken(app, client, { grant_type: 'refresh_token', refresh_token: token });
}

/** Connect applications of these names. */
async function connect(...names: string[]): Promise<RegisteredClient[]> {
  const clients: RegisteredClient[] = [];
  for (const name of names) {
    const connected = await notebook(app.portico, { name });
    await signInWith(app, connected, 'alice');
    clients.push(connected);
    app.clock.advance(1000);
  }
  return clients;
}

const headings = (page: string) => [...page.matchAll(/<h2><a [^>]*>([^<]+)/g)].map(([, name]) => name);

test('each sign-in is listed with its last use, network and program, and can be ended alone', async () => {
  const first = await signInWith(app, client, 'alice');
  app.clock.advance(1000);
  const second = await signInWith(app, client, 'alice');
  for (const { access_token } of [first, second]) await callApi(app, '/me', access_token);

  const page = await text(path);
  const [newest = ''] = [...(await html(path)).matchAll(/name="sign_in" value="([^"]+)"/g)].map(
    ([, key]) => key,
  );
  await submit(path, `${path}/sign-ins`, { sign_in: newest });

  assert.match(page, /Sign-ins .* node 127\.0\.0\.0\/24 End .* node 127\.0\.0\.0\/24 End/);
  assert.equal((await callApi(app, '/me', second.access_token)).status, 401);
  assert.equal((await callApi(app, '/me', first.access_token)).status, 200);
  assert.equal([...(await html(path)).matchAll(/name="sign_in"/g)].length, 1);
});

test('the place of an old sign-in is known, however much another one has read since', async () => {
  const user = await app.portico.identity.reads.findUserByName('alice');
  const signIns = [await signInWith(app, client, 'alice'), await signInWith(app, client, 'alice')];
  for (const { access_token } of signIns) await callApi(app, '/me', access_token);
  await app.portico.mergeDiary();
  const part = { userId: user?.id ?? 0, from: 0, until: app.clock.now + 1, limit: 1 };
  const [line] = await app.portico.oauth.reads.diaryLines({ ...part, from: app.clock.now - DAY });
  for (let hours = 1; hours <= 30; hours += 1) {
    const times = { hour: (line?.hour ?? 0) + hours * HOUR, firstAt: app.clock.now, lastAt: app.clock.now };
    const lines = Array.from({ length: 40 }, (_, index) => ({ ...line, ...times, program: `p${index}` }));
    await app.portico.oauth.writes.addDiaryBatch(writeBatch(lines as DiaryLine[]));
    app.clock.advance(HOUR);
  }

  assert.doesNotMatch(await text(path), /Unknown/);
});

test('nobody can end the sign-in of somebody else', async () => {
  const { access_token } = await signInWith(app, client, 'alice');
  const [key = ''] = [...(await html(path)).matchAll(/name="sign_in" value="([^"]+)"/g)].map(
    ([, key]) => key,
  );
  await person(app.portico, 'mallory');
  browser = await browserOf(app, 'mallory');

  const token = new Map(formIn(await html('/settings/diary'), '/settings/diary')).get('form_token') ?? '';
  const answer = await browser.post(
    `${path}/sign-ins`,
    new URLSearchParams({ form_token: token, sign_in: key }),
  );

  assert.equal(answer.status, 303);
  assert.equal((await callApi(app, '/me', access_token)).status, 200);
});

test('the list says what each can read, since when, when it was last used, and how often', async () => {
  const { access_token } = await signInWith(app, client, 'alice');
  app.clock.advance(3 * DAY - 1000);
  const renewed = await refresh((await signInWith(app, client, 'alice')).refresh_token);
  assert.equal(renewed.status, 200, access_token);
  const { access_token: newer } = (await renewed.json()) as { access_token: string };
  for (let request = 0; request < 3; request += 1) await callApi(app, '/me', newer);

  const page = await text('/settings/apps');

  assert.match(
    page,
    /Diary .*profile:read posts:read Connected on .* Last used just now 3 requests in 30 days/,
  );
  assert.match(await html('/settings/apps'), /aria-label="3 requests in 30 days"/);
});

test('it is sorted and searched', async () => {
  await connect('Zebra', 'apple', 'Mango');

  assert.deepEqual(headings(await html('/settings/apps')), ['Mango', 'apple', 'Zebra']);
  assert.deepEqual(headings(await html('/settings/apps?order=name')), ['apple', 'Mango', 'Zebra']);
  assert.deepEqual(headings(await html('/settings/apps?order=oldest')), ['Zebra', 'apple', 'Mango']);
  assert.deepEqual(headings(await html('/settings/apps?q=MAN')), ['Mango']);
  assert.match(await text('/settings/apps?q=nothing'), /None of your connected applications is like that/);
});

test('several are removed at once, after a question', async () => {
  const [zebra, apple] = await connect('Zebra', 'apple', 'Mango');
  const question = await submit('/settings/apps', '/settings/apps/remove', {
    client: [zebra?.id ?? '', apple?.id ?? ''],
  });
  const asked = await question.text();
  const before = headings(await html('/settings/apps'));

  await browser.submit(asked, '/settings/apps/remove');

  assert.match(asked, /Remove the access of 2 applications\?/);
  assert.equal(before.length, 3);
  assert.deepEqual(headings(await html('/settings/apps')), ['Mango']);
});

test('removing everything asks for the username', async () => {
  await connect('Zebra', 'apple', 'Mango');
  const asked = await (await submit('/settings/apps', '/settings/apps/remove', { everything: 'yes' })).text();

  const wrong = await browser.submit(asked, '/settings/apps/remove', { username: 'bob' });
  const wrongText = await wrong.text();
  const left = headings(await html('/settings/apps'));
  await browser.submit(wrongText, '/settings/apps/remove', { username: 'Alice' });

  assert.equal(wrong.status, 400);
  assert.match(wrongText, /That is not your username, alice/);
  assert.equal(left.length, 3);
  assert.deepEqual(headings(await html('/settings/apps')), []);
});

test('those that were not used for 60 days are shown ticked, to be removed together', async () => {
  await connect('Zebra', 'apple');
  app.clock.advance(60 * DAY);
  browser = await browserOf(app, 'alice');
  await connect('Mango');

  const page = await html('/settings/apps?show=unused');

  assert.deepEqual(headings(page), ['apple', 'Zebra']);
  assert.equal([...page.matchAll(/name="client" value="[^"]+" checked/g)].length, 2);
});

test('unticking a scope takes it from the application at its next request', async () => {
  const { access_token, refresh_token } = await signInWith(app, client, 'alice');

  await submit(path, `${path}/scopes`, { scope: ['profile:read'] });

  assert.equal((await callApi(app, '/me', access_token)).status, 200);
  assert.equal((await callApi(app, '/me/posts', access_token)).status, 403);
  assert.equal(((await (await refresh(refresh_token)).json()) as { scope: string }).scope, 'profile:read');
  assert.match(await text(path), /Your public profile profile:read/);
  assert.doesNotMatch(await text(path), /posts:read/);
});

test('unticking all of them leads to removing its access', async () => {
  await signInWith(app, client, 'alice');

  const answer = await submit(path, `${path}/scopes`, { scope: [] });

  assert.equal(answer.headers.get('location'), `${path}/remove`);
});

test('a paused application reads nothing until it is resumed with a proof of identity, and then goes on', async () => {
  const { access_token } = await signInWith(app, client, 'alice');
  app.clock.advance(11 * MINUTE);

  await submit(path, `${path}/pause`, { act: 'pause' });
  const page = await text(path);
  const question = await (await submit(path, `${path}/pause`, { act: 'resume' })).text();
  const paused = await callApi(app, '/me', access_token);
  await browser.submit(question, `${path}/pause`, { proof_password: PASSWORD });

  assert.equal(paused.status, 401);
  assert.match(page, /Paused .* It can read nothing until you resume it/);
  assert.equal((await callApi(app, '/me', access_token)).status, 200);
});

test('an application can be paused and resumed 60 times an hour, and removed even then', async () => {
  const { access_token } = await signInWith(app, client, 'alice');
  const page = await html(path);
  const statuses: number[] = [];
  for (let change = 0; change < 31; change += 1) {
    for (const act of ['pause', 'resume']) {
      statuses.push((await browser.submit(page, `${path}/pause`, { act })).status);
    }
  }

  const refused = await browser.submit(page, `${path}/pause`, { act: 'pause' });
  await submit(`${path}/remove`, `${path}/remove`, {});

  assert.deepEqual(statuses, [...Array(60).fill(303), 429, 429]);
  assert.match(await refused.text(), /You can do this again in 60 minutes/);
  assert.equal((await callApi(app, '/me', access_token)).status, 401);
});

test('the page of a removed application has the moment, and whom to ask about copied data', async () => {
  await signInWith(app, client, 'alice');

  await submit(`${path}/remove`, `${path}/remove`, {});

  assert.match(
    await text(path),
    /Access stopped at \d\d:\d\d:\d\d\. .*stays with the application\. To have it deleted, ask @olga/,
  );
});

test('applications can link their users to the page, also before they connect', async () => {
  assert.match(await text(path), /You have never connected it/);
});

test('the page leads to what the application read', async () => {
  const { access_token } = await signInWith(app, client, 'alice');
  await callApi(app, '/me', access_token);

  const page = await html(path);

  assert.match(page, /1 request in 30 days/);
  assert.match(
    await text(`/settings/diary?application=${client.id}`),
    /Only Diary\. .* Diary Your public profile once/,
  );
  assert.ok(page.includes(`/settings/diary?application=${client.id}`));
});

test('the receipt of a consent is verified with the published keys, and is no id_token', async () => {
  await signInWith(app, client, 'alice');

  const answer = await submit(path, `${path}/receipt`, {});
  const { consent, jwt, keys } = (await answer.json()) as { consent: object; jwt: string; keys: string };
  const jwks = createLocalJWKSet((await (await fetch(keys)).json()) as JSONWebKeySet);
  const { payload } = await jwtVerify(jwt, jwks, { issuer: app.url, typ: 'consent-receipt+jwt' });

  assert.match(answer.headers.get('content-disposition') ?? '', /attachment; filename="consent-app_/);
  assert.deepEqual(payload, consent);
  assert.deepEqual(
    [payload.sub, payload.client_id, payload.scopes, payload.state, payload.aud],
    ['1', client.id, ['profile:read', 'posts:read'], 'granted', undefined],
  );
  assert.equal(await readIdTokenHint(app.portico.oauth, jwt), undefined);
});

test('a member gets ten receipts an hour', async () => {
  await signInWith(app, client, 'alice');
  const page = await html(path);
  const statuses = [];
  for (let times = 0; times < 11; times += 1) {
    statuses.push((await browser.submit(page, `${path}/receipt`, {})).status);
  }

  assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429]);
  assert.ok(statuses.indexOf(429) >= 9);
});
