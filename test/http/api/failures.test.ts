// The responses of the resource API when something fails behind it.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { Answer } from '../../../src/http/answer.ts';
import { apiDoor } from '../../../src/http/api/door.ts';
import { StorageUnavailable } from '../../../src/lib/storage-unavailable.ts';
import { type App, openApp } from '../../support/app.ts';
import { person } from '../../support/people.ts';
import { objectOf, tokenOf } from './callers.ts';

let app: App;
let token: string;

before(async () => {
  app = await openApp();
  token = await tokenOf(app, await person(app.portico, 'alice'));
});
after(() => app.close());

function responseOf({ status, headers, body }: Answer): Response {
  const response = new Response(body, { status });
  for (let index = 0; index < headers.length; index += 2) {
    response.headers.set(headers[index] ?? '', headers[index + 1] ?? '');
  }
  return response;
}

function doorThatFails(error: Error): { lines: string[]; call(): Promise<Response> } {
  const lines: string[] = [];
  const { oauth } = app.portico;
  const door = apiDoor({
    ...app.portico,
    rateLimitPerMinute: 60,
    clientAddress: () => '192.0.2.7',
    oauth: { ...oauth, reads: { ...oauth.reads, findPersonalToken: () => Promise.reject(error) } },
    log: pino(
      { base: null },
      new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }),
    ),
  });
  return {
    lines,
    async call() {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await door({ method: 'GET', url: '/api/open/v1/me', headers });
      assert.ok(answer);
      return responseOf(answer);
    },
  };
}

test('While the database is unavailable the response is 503 with Retry-After, never 401', async () => {
  const { call } = doorThatFails(new StorageUnavailable(new Error('disk I/O error')));

  const answer = await call();

  assert.equal(answer.headers.get('retry-after'), '5');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(answer.headers.get('www-authenticate'), null);
  assert.deepEqual(await objectOf(answer, 503), {
    type: `${app.url}/docs/errors/temporarily_unavailable`,
    title: 'The service is unavailable right now',
    status: 503,
    detail: "The service can't reach its data. Try again soon.",
  });
});

test('An unexpected error is answered with 500 without details, which are in the log', async () => {
  const { lines, call } = doorThatFails(new Error('no such column: users.shoe_size'));

  const answer = await call();

  const problem = await objectOf(answer, 500);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.deepEqual(problem, {
    type: `${app.url}/docs/errors/server_error`,
    title: 'Something went wrong on our side',
    status: 500,
    detail: 'The request failed. The error was logged.',
  });
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /shoe_size/);
  assert.ok(!lines[0]?.includes(token));
});
