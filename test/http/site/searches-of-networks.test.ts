// Searches of visitors from many addresses of one IPv6 network of /48, which one person can have.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { createFirstOperator } from '../../../src/identity/user-creation.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD } from '../../support/people.ts';

// The tests come from 127.0.0.1, so a request can name another address.
const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
after(() => app.close());
const { portico } = app;
await createFirstOperator(
  byServer(portico.clock),
  portico.identity,
  { username: 'keeper', password: PASSWORD },
  'en',
);

beforeEach(() => app.clock.advance(MINUTE));

async function searchFrom(address: string): Promise<number> {
  const browser = new Browser(app.url);
  browser.address = address;
  const answer = await browser.open('/search?q=bread');
  await answer.text();
  return answer.status;
}

test('visitors from one network of /48 search 120 times a minute, and keep no other network from it', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 125; count += 1) statuses.push(await searchFrom(`2001:db8:0:${count}::1`));

  assert.deepEqual(statuses, [...Array(120).fill(200), ...Array(5).fill(429)]);
  assert.equal(await searchFrom('2001:db8:1::1'), 200);
  app.clock.advance(MINUTE);
  assert.equal(await searchFrom('2001:db8:0:7::1'), 200);
});

test('one search of a network of /48 is under way and three wait, and those of other networks begin', async (t) => {
  const { reads } = portico.community;
  let began = 0;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  portico.community.reads = {
    ...reads,
    async postIdsWith() {
      began += 1;
      if (began === 1) await end;
      return { ids: [], count: 0, searchedFrom: 0 };
    },
  };
  t.after(() => {
    resolve();
    portico.community.reads = reads;
  });

  const ofNetwork = Array.from({ length: 8 }, (_, index) => searchFrom(`2001:db8:0:${index}::1`));
  // Those beyond the three that wait are refused at once.
  const refused = await Promise.race([...ofNetwork]);
  const others = [await searchFrom('2001:db8:1::1'), await searchFrom('198.51.100.1')];
  const beganMeanwhile = began;
  resolve();

  assert.deepEqual([refused, others], [429, [200, 200]]);
  assert.deepEqual((await Promise.all(ofNetwork)).toSorted(), [...Array(4).fill(200), ...Array(4).fill(429)]);
  assert.ok(beganMeanwhile < began);
});
