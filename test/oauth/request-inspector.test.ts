// Collecting the requests of applications: within bounds, whatever strangers send.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { MINUTE } from '../../src/lib/clock.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import type { Principal } from '../../src/oauth/bearer-token.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { openRequestInspector, type RequestInspector } from '../../src/oauth/request-inspector.ts';
import type { RequestFacts, RequestLine } from '../../src/oauth/request-inspector-store.ts';
import { openProvider, type Provider } from './provider.ts';

let provider: Provider;
let inspector: RequestInspector;
let client: Client;

beforeEach(async () => {
  provider = await openProvider();
  client = provider.notebook;
  inspector = openRequestInspector(provider.server, (error) => assert.fail(String(error)));
});
afterEach(() => provider.close());

function facts(came: string): RequestFacts {
  const broken = [{ rule: 'redirect_uri_unregistered', came }] as const;
  return {
    endpoint: 'authorize',
    outcome: 'refused',
    status: 400,
    error: 'redirect_uri_unregistered',
    broken,
  };
}

function fromStranger(came: string, address = '192.0.2.7'): string {
  const request = { clientId: client.id, facts: facts(came), address, userAgent: 'curl/8.5.0' };
  return inspector.note({ ...request, kind: 'anyone' });
}

async function lines(): Promise<RequestLine[]> {
  await inspector.flush();
  return provider.server.reads.requestLines(client.id, 100_000);
}

const total = (all: readonly RequestLine[]) => all.reduce((sum, { requests }) => sum + requests, 0);

test('equal requests within a minute share a line with their number, and a network instead of an address', async () => {
  const ids = [fromStranger('https://x.example/'), fromStranger('https://x.example/')];
  await inspector.flush();
  provider.advance(MINUTE);
  const later = fromStranger('https://x.example/');

  const [newest, oldest, ...others] = await lines();

  assert.deepEqual(
    [newest?.id, newest?.requests, oldest?.id, oldest?.requests, others],
    [later, 1, ids[0], 2, []],
  );
  assert.equal(ids[0], ids[1]);
  assert.deepEqual([newest?.network, newest?.program], ['192.0.2.0/24', 'curl']);
});

test('a flood of different requests by a stranger leaves the developer room in the same minute', async () => {
  for (let n = 0; n < 2000; n += 1) fromStranger(`https://x.example/${n}`);
  const own = fromStranger('https://notebook.example.com/callbak', '198.51.100.1');

  const all = await lines();

  assert.equal(total(all), 2001);
  assert.ok(all.length <= 12, String(all.length));
  assert.equal(
    all.find(({ id }) => id === own)?.facts.broken[0]?.came,
    'https://notebook.example.com/callbak',
  );
  const [rest] = all.filter((line) => line.facts.isShortened);
  assert.deepEqual(
    [rest?.requests, rest?.network, rest?.facts.broken],
    [1990, '', [{ rule: 'redirect_uri_unregistered' }]],
  );
});

test('a flood from everywhere has 40 lines a minute at most, and 500 together', async () => {
  const proven = { clientId: client.id, address: '203.0.113.9', userAgent: undefined } as const;
  inspector.note({ ...proven, kind: 'refused', facts: { ...facts('own'), endpoint: 'token' } });
  for (let minute = 0; minute < 30; minute += 1) {
    for (let n = 0; n < 200; n += 1) fromStranger(`https://x.example/${minute}-${n}`, `10.0.${n}.1`);
    await inspector.flush();
    provider.advance(MINUTE);
  }

  const all = await lines();

  assert.ok(all.length <= 550, String(all.length));
  assert.equal(all.filter(({ kind }) => kind === 'refused').length, 1);
  const ofMinute = Map.groupBy(all, ({ minute }) => minute);
  for (const some of ofMinute.values()) assert.ok(some.length <= 41);
});

test('values that are masked share a line, and a secret is never in it', async () => {
  for (let n = 0; n < 300; n += 1) fromStranger(`https://x.example/?sid=value${n}`);

  const all = await lines();

  assert.deepEqual(
    all.map(({ requests, facts: { broken } }) => [requests, broken[0]?.came]),
    [[300, 'https://x.example/?sid=***']],
  );
});

test('a flood of long addresses costs little, although the application has twenty long ones', async () => {
  const expected = Array.from({ length: 20 }, (_, n) => `https://a.example/${n}?${'ab=cd&'.repeat(338)}`);
  const note = (n: number) => {
    const came = `https://a.example/?n=${n}&${'a=b&'.repeat(4000)}`;
    const broken = [{ rule: 'redirect_uri_unregistered', came, expected }] as const;
    const request = { clientId: client.id, address: `10.0.${n % 250}.1`, userAgent: undefined };
    inspector.note({ ...request, kind: 'anyone', facts: { ...facts(''), broken } });
  };

  const before = process.cpuUsage();
  for (let n = 0; n < 2000; n += 1) note(n);
  const { user, system } = process.cpuUsage(before);

  assert.ok(user + system < 4_000_000, `${user + system} microseconds`);
  assert.ok((await lines()).length <= 41);
});

test('one network leaves others room among the notes that need the database', async () => {
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (name: string) => () => {
    begun.push(name);
    return promise;
  };

  for (let n = 0; n < 30; n += 1) inspector.noteLater(`192.0.2.${n}`, work('stranger'));
  inspector.noteLater('198.51.100.1', work('developer'));

  assert.equal(begun.filter((name) => name === 'stranger').length, 4);
  assert.ok(begun.includes('developer'));
  resolve();
  await inspector.close();
});

test('what the API answered counts per token, path and status, and many tokens share a line', async () => {
  const caller = (n: number): Principal => ({
    user: { id: 1 } as Principal['user'],
    scopes: [],
    tokenKey: `k${n}`,
    clientId: client.id,
    source: 'f',
    digest: digestOf(`token ${n}`),
    checkedAt: provider.server.clock(),
  });
  for (let n = 0; n < 300; n += 1)
    for (const status of [200, 304]) inspector.noteRead(caller(n % 100), '/me', status);
  inspector.noteRead({ ...caller(1), clientId: '' }, '/me', 200);

  const all = await lines();

  assert.equal(total(all), 600);
  assert.equal(all.length, 42);
  assert.equal(all.filter(({ requests }) => requests === 3).length, 40);
});
