// Requests to strangers in a thread of its own.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type TestContext, test } from 'node:test';
import type { FetchFailure } from '../../src/lib/public-fetch.ts';
import { openPublicFetcher } from '../../src/lib/public-fetcher.ts';
import { openNameServer } from './name-server.ts';
import { fetchWith } from './public-server.ts';

const PRIVATE = { 'a.example': { A: ['10.0.0.1'] }, 'b.example': { A: ['10.0.0.2'] } };

/** Count the requests that this thread makes. */
function countRequests(t: TestContext) {
  const counted = { requests: 0 };
  const count = () => {
    counted.requests += 1;
  };
  subscribe('http.client.request.created', count);
  t.after(() => unsubscribe('http.client.request.created', count));
  return counted;
}

function fails(request: Promise<unknown>, reason: FetchFailure, message: RegExp) {
  return assert.rejects(request, { name: 'FetchError', reason, message });
}

test('Requests are made by another thread, and fail for the same reasons', async (t) => {
  const counted = countRequests(t);
  const { address, questions } = await openNameServer(t, PRIVATE);
  const network = { nameServers: [address] };
  const fetch = openPublicFetcher();

  await Promise.all([
    fails(fetch('https://a.example/', { network }), 'not_public', /^a\.example is not/),
    fails(fetch('https://b.example/', { network }), 'not_public', /^b\.example is not/),
    fails(
      fetch('http://a.example/', { httpsOnly: true }),
      'bad_scheme',
      /^a\.example must begin with https:/,
    ),
  ]);

  assert.equal(new Set(questions).size, 4);
  assert.equal(counted.requests, 0);
  await fails(fetchWith({ network })('https://a.example/'), 'not_public', /^a\.example is not/);
  assert.equal(counted.requests, 1);
});

test('What can’t be passed to the thread is refused, and the next request is made', async () => {
  const fetch = openPublicFetcher();

  await assert.rejects(fetch('https://a.example/', { network: { isPublic: () => true } }), {
    name: 'DataCloneError',
  });
  await fails(fetch('not an address'), 'bad_address', /is not a URL/);
});

test('When the thread ends, its requests fail, and the next one has a new thread', async () => {
  const fetch = openPublicFetcher();
  const broken = { ports: null as unknown as number[] };

  await Promise.all([
    fails(fetch('https://a.example/', broken), 'bad_answer', /has ended/),
    fails(fetch('https://b.example/'), 'bad_answer', /has ended/),
  ]);
  await fails(fetch('not an address'), 'bad_address', /is not a URL/);
});
