// The access diary says which application read what, when and from where: one request for one request.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { byMember } from '../../../src/audit/doer.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { keepOwnDiary } from '../../../src/oauth/access-diary.ts';
import type { DiaryLine } from '../../../src/oauth/access-diary-store.ts';
import { writeBatch } from '../../../src/oauth/diary-batch.ts';
import { MOST_LINES_AN_HOUR, MOST_PLACES_AN_HOUR } from '../../../src/oauth/diary-merging.ts';
import { type App, openApp } from '../../support/app.ts';
import { notebook, type Person, person, publish } from '../../support/people.ts';
import { signInWith } from '../../support/relying-party.ts';
import { ask, tokenOf } from './callers.ts';

let app: App;
let alice: Person;
let token: string;

beforeEach(async () => {
  app = await openApp({ TRUST_PROXY: '127.0.0.1' });
  alice = await person(app.portico, 'alice');
  token = await tokenOf(app, alice);
});
afterEach(() => app.close());

async function diary(): Promise<DiaryLine[]> {
  await app.portico.mergeDiary();
  const until = app.clock.now + HOUR;
  return app.portico.oauth.reads.diaryLines({
    userId: alice.id,
    from: until - 48 * HOUR,
    until,
    limit: 1000,
  });
}

const total = (lines: DiaryLine[]) => lines.reduce((sum, { requests }) => sum + requests, 0);

function requestsBySource(lines: DiaryLine[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { source, requests } of lines) sums[source] = (sums[source] ?? 0) + requests;
  return sums;
}

test('each answer to an API token is noted: what it held, its status, the network and the program', async () => {
  await publish(app.portico, alice, 'On arches');
  await publish(app.portico, alice, 'On doors');
  const from = { 'X-Forwarded-For': '198.51.100.77', 'User-Agent': 'notes-reader/1.2' };

  const profile = await ask(app, '/me', token, from);
  await ask(app, '/me', token, { ...from, 'If-None-Match': profile.headers.get('etag') ?? '' });
  await ask(app, '/me/posts?size=1', token, from);
  await ask(app, '/me/posts', token, { ...from, 'X-Forwarded-For': '2001:db8:1:2::9' });
  await ask(app, '/me/posts?page=x', token, from);
  await ask(app, '/', token, from);

  const lines = (await diary()).map(({ reading, status, network, program, requests, posts }) =>
    [reading, status, network, program, requests, posts].join(' '),
  );
  assert.deepEqual(lines.toSorted(), [
    'posts 200 198.51.100.0/24 notes-reader 1 1',
    'posts 200 2001:db8:1::/48 notes-reader 1 2',
    'posts 400 198.51.100.0/24 notes-reader 1 0',
    'profile 200 198.51.100.0/24 notes-reader 1 0',
    'profile 304 198.51.100.0/24 notes-reader 1 0',
    'service 200 198.51.100.0/24 notes-reader 1 0',
  ]);
});

test('an application’s requests name the application and the sign-in', async () => {
  const client = await notebook(app.portico, {
    scopes: ['openid', 'profile:read'],
    acceptsMissingStateAndNonce: true,
  });
  const [first, second] = [
    await signInWith(app, client, 'alice', 'openid profile:read'),
    await signInWith(app, client, 'alice', 'openid profile:read'),
  ];

  await ask(app, '/me', first.access_token);
  await ask(app, '/me', second.access_token);
  await ask(app, '/me/posts', second.access_token);
  await fetch(`${app.url}/api/oauth/userinfo`, {
    headers: { Authorization: `Bearer ${second.access_token}` },
  });

  const lines = await diary();
  assert.deepEqual(
    lines.map(({ clientId, reading, status }) => [clientId, reading, status].join(' ')).toSorted(),
    [
      `${client.id} claims 200`,
      `${client.id} posts 403`,
      `${client.id} profile 200`,
      `${client.id} profile 200`,
    ],
  );
  assert.equal(new Set(lines.map(({ source }) => source)).size, 2);
});

test('a run of requests over several hours adds up to exactly the requests that were made', async () => {
  const tokens = await Promise.all([1, 2, 3].map(() => tokenOf(app, alice)));
  let made = 0;
  for (let hour = 0; hour < 3; hour += 1) {
    // The 61st request of a token in a minute, and later ones, are refused. They are noted too.
    await Promise.all(
      tokens.flatMap((each) =>
        Array.from({ length: 70 }, async (_, index) => {
          await ask(app, index % 2 === 0 ? '/me' : '/me/posts', each);
          made += 1;
        }),
      ),
    );
    app.clock.advance(HOUR);
  }

  const lines = await diary();

  assert.equal(made, 630);
  assert.equal(total(lines), made);
  assert.equal(total(lines.filter(({ status }) => status === 200)), 3 * 3 * 60);
  assert.equal(total(lines.filter(({ status }) => status === 429)), 3 * 3 * 10);
  assert.equal(new Set(lines.map(({ hour }) => hour)).size, 3);
});

test('a program that changes its name all the time can’t fill the diary, and no request is left out', async () => {
  const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenOf(app, alice)));
  for (const [index, each] of tokens.entries()) {
    for (let request = 0; request < 50; request += 1)
      await ask(app, '/me', each, { 'User-Agent': `program-${index}-${request}` });
  }

  const lines = await diary();

  const placeless = lines.filter(({ program }) => program === '');
  assert.equal(lines.length - placeless.length, MOST_PLACES_AN_HOUR);
  assert.ok(placeless.every(({ network }) => network === ''));
  assert.equal(total(lines), 200);
  assert.deepEqual(requestsBySource(lines), { 2: 50, 3: 50, 4: 50, 5: 50 });
});

test('in an hour with far too many lines, further requests are counted without their token', async () => {
  await ask(app, '/me', token);
  const [line] = await diary();
  const lines = Array.from({ length: 150 }, (_, index) => ({ ...(line as DiaryLine), source: `s${index}` }));
  await app.portico.oauth.writes.addDiaryBatch(writeBatch(lines));

  const kept = await diary();

  assert.equal(kept.length, MOST_LINES_AN_HOUR + 1);
  assert.equal(kept.filter(({ program }) => program !== '').length, MOST_PLACES_AN_HOUR);
  assert.equal(total(kept), 151);
  assert.equal(requestsBySource(kept)[''], 51);
});

test('names of programs that were made to have one checksum fill no more lines than others', async () => {
  await ask(app, '/me', token);
  const [line] = await diary();
  const names = namesWithOneChecksum();
  const lines = names.map((program) => ({ ...(line as DiaryLine), program }));
  await app.portico.oauth.writes.addDiaryBatch(writeBatch(lines));

  const kept = await diary();

  assert.equal(new Set(names).size, 256);
  assert.equal(new Set(names.map((name) => crc32(`before ${name}`))).size, 1);
  assert.equal(kept.filter(({ program }) => program !== '').length, MOST_PLACES_AN_HOUR);
});

// A CRC is linear: which signs change it, and which of these changes cancel each other, can be computed.
function namesWithOneChecksum(): string[] {
  const nameOf = (flips: bigint) =>
    Array.from({ length: 40 }, (_, index) => 'ab'[Number((flips >> BigInt(index)) & 1n)]).join('');
  const changeOf = (flips: bigint) => (crc32(nameOf(flips)) ^ crc32(nameOf(0n))) >>> 0;
  const [changing, cancelling]: [bigint[], bigint[]] = [[], []];
  for (let index = 0n; index < 40n; index += 1n) {
    let flips = 1n << index;
    for (const other of changing) {
      if ((changeOf(flips) ^ changeOf(other)) >>> 0 < changeOf(flips)) flips ^= other;
    }
    (changeOf(flips) === 0 ? cancelling : changing).push(flips);
    changing.sort((a, b) => changeOf(b) - changeOf(a));
  }
  const sums = [0n];
  for (const flips of cancelling) sums.push(...sums.map((sum) => sum ^ flips));
  return sums.map(nameOf);
}

test('requests that are refused as too many share a line, whatever program they name', async () => {
  for (let request = 0; request < 80; request += 1)
    await ask(app, '/me', token, { 'User-Agent': request < 60 ? 'notes' : `program-${request}` });

  const refused = (await diary()).filter(({ status }) => status === 429);

  assert.deepEqual(
    refused.map(({ requests, network, program }) => [requests, network, program]),
    [[20, '', '']],
  );
});

/** Store batches that wait, each with these lines. */
async function addBatches(count: number, lines: DiaryLine[]): Promise<void> {
  const text = writeBatch(lines);
  for (let batch = 0; batch < count; batch += 1) await app.portico.oauth.writes.addDiaryBatch(text);
}

test('batches that wait are all brought in by one round of the work', async () => {
  await ask(app, '/me', token);
  const lines = await diary();
  await addBatches(100, lines);

  assert.equal(total(await diary()), 101);
});

test('while too many batches wait, further ones have no networks and programs', async () => {
  await ask(app, '/me', token);
  const lines = await diary();
  await addBatches(301, lines);
  for (let request = 0; request < 10; request += 1) {
    await ask(app, '/me', token, { 'User-Agent': `program-${request}` });
    if (request === 0) await app.portico.diary.flush();
  }

  const kept = await diary();

  assert.equal(total(kept), 1 + 301 + 10);
  assert.deepEqual(kept.map(({ requests, program }) => `${program || '-'} ${requests}`).toSorted(), [
    '- 9',
    'node 302',
    'program-0 1',
  ]);
});

test('a member who keeps no diary has none, from the next request on', async () => {
  await ask(app, '/me', token);
  await keepOwnDiary(byMember(alice, app.clock.read), app.portico.oauth, false);
  await ask(app, '/me', token);

  assert.deepEqual(await diary(), []);
});

test('a request with a token that is refused is nobody’s, and is not noted', async () => {
  await ask(app, '/me', `${token}x`);
  await ask(app, '/me', 'svcp_nonsense');

  assert.deepEqual(await diary(), []);
});
