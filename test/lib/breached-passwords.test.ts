// Asking a service for breached passwords: what it gets, and that its failures hold nobody up.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { breachedPasswords } from '../../src/lib/breached-passwords.ts';

const BREACHED = 'a long walk in the rain';
const digest = hash('sha1', BREACHED, 'hex').toUpperCase();

async function openService(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`;
}

describe('a service for breached passwords', () => {
  test('gets five characters of the digest, and neither the password nor the rest', async (t) => {
    const seen: string[] = [];
    const url = await openService(t, (request, response) => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      response.end(`0000000000000000000000000000000000A:3\r\n${digest.slice(5).toLowerCase()}:42\r\n`);
    });
    const failures: string[] = [];
    const isBreached = breachedPasswords(url, (reason) => failures.push(reason));

    const answers = [await isBreached(BREACHED), await isBreached('another long walk')];

    assert.deepEqual(answers, [true, false]);
    assert.ok(seen[0]?.startsWith(`GET /range/${digest.slice(0, 5)} `));
    assert.match(seen[0] ?? '', /"add-padding":"true"/);
    assert.ok(!seen.join().includes(digest.slice(5)) && !seen.join().includes(BREACHED));
    assert.deepEqual(failures, []);
  });

  test('that answers with padding has not seen the password', async (t) => {
    const url = await openService(t, (_, response) => response.end(`${digest.slice(5)}:0\r\n`));

    assert.equal(await breachedPasswords(url, assert.fail)(BREACHED), false);
  });

  for (const [title, answer, reason] of [
    ['fails', (_, response) => response.writeHead(503).end(), /status 503/],
    ['redirects', (_, response) => response.writeHead(302, { Location: '/' }).end(), /redirect/],
    ['does not answer', () => {}, /it does not answer in time/],
    ['hangs up', (request) => request.socket.destroy(), /socket|terminated|closed/],
  ] as [string, RequestListener, RegExp][]) {
    test(`that ${title} refuses no password, and the reason is told without it`, async (t) => {
      const url = await openService(t, answer);
      const failures: string[] = [];

      const isBreached = await breachedPasswords(url, (reason) => failures.push(reason), 300)(BREACHED);

      assert.equal(isBreached, false);
      assert.equal(failures.length, 1);
      assert.match(failures[0] ?? '', reason);
      assert.doesNotMatch(failures.join(), /walk|[0-9A-F]{35}/);
    });
  }
});
