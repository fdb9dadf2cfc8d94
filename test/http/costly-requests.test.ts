// Who has to rest after costly requests.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { costlyRequests } from '../../src/http/costly-requests.ts';

let now = 0;
mock.method(performance, 'now', () => now);
const { measure, mustRest } = costlyRequests();

async function request(network: string, duration: number): Promise<void> {
  measure(network);
  now += duration;
  await nextTurn();
}

function resting(...networks: string[]): string[] {
  return networks.filter((network) => mustRest(network, now));
}

test('a network with one slow moment does not rest with those who have costly requests', async () => {
  await request('visitor', 20);
  await request('flood', 20);
  await request('flood', 20);

  assert.deepEqual(resting('flood', 'visitor', 'other'), ['flood']);
  now += 20;
  assert.deepEqual(resting('flood'), []);
});

test('a network does not rest any more a second after its last costly request, however many there were', async () => {
  for (let count = 0; count < 10; count += 1) await request('repentant', 90);

  now += 900;
  await request('flood', 90);
  const before = resting('repentant', 'flood');
  now += 10;
  await request('flood', 90);

  assert.deepEqual([before, resting('repentant', 'flood')], [['repentant', 'flood'], ['flood']]);
});

test('the requests of many visitors behind one address are ordinary ones', async () => {
  for (let count = 0; count < 1000; count += 1) await request('office', 4);
  await request('flood', 90);

  assert.deepEqual(resting('office', 'flood'), ['flood']);
});
