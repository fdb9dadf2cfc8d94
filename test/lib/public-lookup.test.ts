// The addresses of names that strangers choose.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fetchPublic, type PublicRequest } from '../../src/lib/public-fetch.ts';
import { publicLookup } from '../../src/lib/public-lookup.ts';
import { openNameServer } from './name-server.ts';
import { LOOPBACK, openServer, refusal } from './public-server.ts';

const V6 = '2606:4700:0:0:0:0:0:1111';

/** The addresses of a name, or the code of the error. */
function lookedUp(
  host: string,
  nameServer: string,
  { signal = new AbortController().signal, patience = 5000 } = {},
): Promise<unknown> {
  return new Promise((resolve) => {
    publicLookup(signal, { nameServers: [nameServer], patience })(host, { all: true }, (error, found) => {
      resolve(error === null ? found : error.code);
    });
  });
}

function asking(nameServer: string, request: PublicRequest = {}): PublicRequest {
  const isPublic = (address: string) => address === LOOPBACK;
  return { ports: 'any', ...request, network: { isPublic, nameServers: [nameServer] } };
}

describe('a name is looked up', () => {
  test('at the name servers, with its IPv4 addresses first', async (t) => {
    const names = { 'both.example': { A: ['1.1.1.1', '1.0.0.1'], AAAA: [V6] } };
    const { address } = await openNameServer(t, names);

    assert.deepEqual(await lookedUp('both.example', address), [
      { address: '1.1.1.1', family: 4 },
      { address: '1.0.0.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test('also if it has IPv6 addresses only', async (t) => {
    const { address } = await openNameServer(t, { 'six.example': { AAAA: [V6] } });

    assert.deepEqual(await lookedUp('six.example', address), [{ address: '2606:4700::1111', family: 6 }]);
  });

  test('also if its server says nothing about IPv6', async (t) => {
    const names = { 'old.example': { A: ['1.1.1.1'], AAAA: 'silence' } } as const;
    const { address } = await openNameServer(t, names);

    assert.deepEqual(await lookedUp('old.example', address, { patience: 200 }), [
      { address: '1.1.1.1', family: 4 },
    ]);
  });

  test('without asking anyone about localhost', async (t) => {
    const { address, questions } = await openNameServer(t, {});

    for (const host of ['localhost', 'localhost.', 'app.localhost']) {
      assert.deepEqual(await lookedUp(host, address), [{ address: '127.0.0.1', family: 4 }]);
    }
    assert.deepEqual(questions, []);
  });

  for (const [others, code] of [
    ['no such name', 'ENOTFOUND'],
    ['server failure', 'EAI_AGAIN'],
    ['silence', 'ETIMEDOUT'],
  ] as const) {
    test(`and what is wrong has the code ${code} after ${others}`, async (t) => {
      const { address } = await openNameServer(t, { 'empty.example': {} }, others);

      assert.equal(await lookedUp('gone.example', address, { patience: 100 }), code);
      assert.equal(await lookedUp('empty.example', address), 'ENOTFOUND');
    });
  }

  test('only until the signal', async (t) => {
    const server = await openNameServer(t, {}, 'silence');
    const over = new AbortController();

    const lookup = lookedUp('slow.example', server.address, { signal: over.signal });
    await server.asked(2);
    over.abort();

    assert.equal(await lookup, 'ETIMEDOUT');
  });
});

describe('a request to a name', () => {
  test('goes to the address that the name server says, if that is public', async (t) => {
    const names = { 'pictures.example': { A: [LOOPBACK] }, 'inside.example': { A: [LOOPBACK, '10.0.0.1'] } };
    const { address } = await openNameServer(t, names);
    const url = await openServer(t, (_, response) => response.end('hello'));

    const { body } = await fetchPublic(url, asking(address));

    assert.equal(Buffer.from(body).toString(), 'hello');
    const inside = url.replace('pictures', 'inside');
    await refusal(inside, asking(address), 'not_public', /inside\.example/);
  });

  test('whose servers never answer occupies no thread, and its lookup ends with it', async (t) => {
    const server = await openNameServer(t, {}, 'silence');
    const active = (kind: string) => process.getActiveResourcesInfo().filter((one) => one === kind).length;
    const timers = active('Timeout');

    const requests = Array.from({ length: 40 }, (_, index) => {
      const request = asking(server.address, { connectTime: 300 });
      return refusal(`http://a${index}.slow.example/`, request, 'timeout', /does not answer in time/);
    });
    await server.asked(80);
    assert.equal(active('GetAddrInfoReqWrap'), 0);
    await Promise.all(requests);

    // The connections close in the turns after the refusals.
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    assert.ok(active('Timeout') <= timers);
  });

  test('is given up with the reason if the name does not exist', async (t) => {
    const { address } = await openNameServer(t, {});

    await refusal('http://gone.example/', asking(address), 'unreachable', /there is no such host/);
  });
});
