// The messages of GitHub's secret scanning.

import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { openApp } from '../support/app.ts';
import { PASSWORD_HASH } from '../support/people.ts';
import { addMember, addPersonalToken } from '../support/seeding.ts';

const github = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let published: { id: string; key: KeyObject }[] = [{ id: 'first', key: github.publicKey }];
let readings = 0;
let areKeysServed = true;
const keyServer = createServer((_, answer) => {
  readings += 1;
  if (!areKeysServed) {
    answer.writeHead(403).end();
    return;
  }
  const keys = published.map(({ id, key }) => ({
    key_identifier: id,
    key: key.export({ type: 'spki', format: 'pem' }),
    is_current: true,
  }));
  answer.end(JSON.stringify({ public_keys: keys }));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => keyServer.once('listening', resolve));
const keys = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/`;

const app = await openApp({ GITHUB_SCANNING_KEYS: keys, TRUST_PROXY: '127.0.0.1' });
const { portico } = app;
const { identity, community } = portico;
after(async () => {
  await app.close();
  keyServer.close();
});

let networks = 0;

function ownNetwork(): string {
  networks += 1;
  return `198.${51 + Math.floor(networks / 250)}.${networks % 250}.7`;
}

async function isHonoured(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${app.url}/api/open/v1/`, { headers })).status === 200;
}

function send(body: string, headers: Record<string, string>, from = ownNetwork()): Promise<Response> {
  return fetch(`${app.url}/api/credentials/github`, {
    method: 'POST',
    headers: { ...headers, 'X-Forwarded-For': from },
    body,
  });
}

function signed(body: string, id = 'first', key = github.privateKey): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Github-Public-Key-Identifier': id,
    'Github-Public-Key-Signature': sign('sha256', Buffer.from(body), key).toString('base64'),
  };
}

const FILE =
  'https://github.com/octocat/Hello-World/blob/12345600b9cbe38a219f39a9941c9319b600c002/foo/bar.txt';

test('GitHub’s message revokes the tokens in it, and the answer labels each', async () => {
  const email = 'alice@x.example';
  const id = await addMember(portico, 'alice', { passwordHash: PASSWORD_HASH, email });
  const token = await addPersonalToken(portico, id);
  const unknown = mintToken('personal', 'svc', app.clock.now).text;
  const match = (text: string) => ({ token: text, type: 'portico_api_token', url: FILE, source: 'content' });
  const body = JSON.stringify([match(token.text), match(unknown), match('NMIfyYncKcRALEXAMPLE')]);

  const answer = await send(body, signed(body));

  assert.equal(answer.status, 200);
  const labels = (await answer.json()) as { token_hash: string; token_type: string; label: string }[];
  assert.deepEqual(
    labels.map(({ token_type, label }) => [token_type, label]),
    [
      ['portico_api_token', 'true_positive'],
      ['portico_api_token', 'false_positive'],
      ['portico_api_token', 'false_positive'],
    ],
  );
  const digest = Buffer.from(digestOf(token.text), 'base64url').toString('hex');
  assert.equal(labels[0]?.token_hash, digest);
  assert.equal(await isHonoured(token.text), false);
  const [notification] = await community.reads.notificationsOf(id, Number.MAX_SAFE_INTEGER, 10);
  assert.equal(notification?.about.exposed?.source, 'github');
  const [mail] = (await identity.reads.mailsDue(app.clock.now, 1000)).filter(
    ({ userId, purpose }) => userId === id && purpose === 'credential_exposed',
  );
  assert.equal(mail?.about.exposed?.url, FILE);
});

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const BODY = '[{"token":"x","type":"y"}]';
const UNSIGNED: [title: string, headers: Record<string, string>][] = [
  ['no signature', { 'Content-Type': 'application/json' }],
  ['the signature of another body', signed('[]')],
  ['the signature of a stranger', signed(BODY, 'first', stranger.privateKey)],
  ['an unknown key', signed(BODY, 'unknown', stranger.privateKey)],
  ['a signature that is no Base64', { ...signed(BODY), 'Github-Public-Key-Signature': '%%%' }],
];

for (const [title, headers] of UNSIGNED) {
  test(`A message with ${title} is refused, and revokes nothing`, async () => {
    const answer = await send(BODY, headers);

    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /is not a signature of this body/);
  });
}

test('A new key of GitHub is found, and unknown ids cause one request in ten minutes at most', async () => {
  app.clock.advance(HOUR);
  await send(BODY, signed(BODY));
  app.clock.advance(10 * MINUTE);
  const before = readings;
  for (let times = 0; times < 5; times += 1) await send(BODY, signed(BODY, `unknown ${times}`));
  const between = readings;
  published = [...published, { id: 'second', key: stranger.publicKey }];
  app.clock.advance(9 * MINUTE);
  const early = await send(BODY, signed(BODY, 'second', stranger.privateKey));
  app.clock.advance(MINUTE);

  const answer = await send(BODY, signed(BODY, 'second', stranger.privateKey));

  assert.equal(between - before, 1);
  assert.deepEqual([early.status, answer.status], [403, 200]);
});

test('While GitHub’s keys can’t be read, the ones from before are used for a day, and few requests are sent', async (t) => {
  app.clock.advance(HOUR);
  await send(BODY, signed(BODY));
  areKeysServed = false;
  t.after(() => {
    areKeysServed = true;
    app.clock.advance(HOUR);
  });
  const before = readings;
  const statuses = new Set<number>();
  for (let minutes = 0; minutes < 23 * 60; minutes += 10) {
    app.clock.advance(10 * MINUTE);
    await send(BODY, signed(BODY, 'unknown'));
    statuses.add((await send(BODY, signed(BODY))).status);
  }
  const inADay = readings - before;
  app.clock.advance(HOUR);

  const late = await send(BODY, signed(BODY));

  assert.deepEqual([...statuses], [200]);
  assert.ok(inADay < 100, `${inADay} readings`);
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '60']);
  assert.match(await late.text(), /can’t be read now/);
});

test('A caller can send 60 messages an hour without a valid signature', async () => {
  app.clock.advance(HOUR);
  const from = ownNetwork();
  const unsigned: number[] = [];
  for (let times = 0; times < 61; times += 1) unsigned.push((await send('[]', signed(BODY), from)).status);

  const others = [await send(BODY, signed(BODY), from), await send(BODY, signed(BODY))];

  assert.deepEqual([unsigned.filter((status) => status === 403).length, unsigned.at(-1)], [60, 429]);
  assert.deepEqual(
    others.map(({ status }) => status),
    [429, 200],
  );
});

for (const body of ['{}', 'x', '[{"token":1,"type":"y"}]', '[null]']) {
  test(`A signed message that is no list of matches is refused: ${body}`, async () => {
    assert.equal((await send(body, signed(body))).status, 400);
  });
}

test('Without the setting there is no receiver', async () => {
  const plain = await openApp();
  after(() => plain.close());

  const url = `${plain.url}/api/credentials/github`;
  const answer = await fetch(url, { method: 'POST', headers: signed(BODY), body: BODY });

  assert.equal(answer.status, 404);
});
