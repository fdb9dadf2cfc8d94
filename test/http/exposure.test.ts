// What lies beside the program is not served: sources, settings, data, lists of folders, numbers for operators.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { freePort } from '../support/services.ts';

let app: App;

before(async () => {
  app = await openApp({ METRICS_PORT: String(await freePort()) });
});
after(() => app.close());

async function open(path: string): Promise<string> {
  const answer = await fetch(app.url + path, { redirect: 'manual' });
  return `${answer.status} ${path}`;
}

test('Sources, settings, data and backups are at no address', async () => {
  for (const path of [
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/.npmrc',
    '/package.json',
    '/package-lock.json',
    '/src/main.ts',
    '/src/http/static/style.css',
    '/static/style.css',
    '/node_modules/hono/package.json',
    '/data/portico.db',
    '/portico.db',
    '/outbox/',
    '/deploy/compose.yaml',
    '/docs/developers/index.md',
    '/docs/../../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/errors/..%2findex',
  ]) {
    assert.equal(await open(path), `404 ${path}`);
  }
});

test('There are no directory listings', async () => {
  for (const path of ['/avatars', '/avatars/', '/posts', '/u', '/.well-known', '/.well-known/', '/static/']) {
    assert.equal(await open(path), `404 ${path}`);
  }
});

test('Nothing for debugging or monitoring is among the pages', async () => {
  for (const path of ['/metrics', '/debug', '/server-status', '/health', '/actuator', '/graphql']) {
    assert.equal(await open(path), `404 ${path}`);
  }
});

test('What the server sees of a request is told only to a command on the same database.', async () => {
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${app.url}/healthz/probe`, { method: 'POST', headers, body: 'x' })).status;

  assert.equal(await ask({}), 404);
  assert.equal(await ask({ Authorization: `Bearer ${'0'.repeat(43)}` }), 404);
});

test('A health check says one word, and nothing of the inside', async () => {
  const read = async (path: string) => (await fetch(app.url + path)).json();

  assert.deepEqual(await read('/healthz'), { status: 'alive' });
  assert.deepEqual(await read('/readyz'), { status: 'ready' });
});
