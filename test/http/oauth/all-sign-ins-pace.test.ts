// How often a member signs in without a page, at all applications together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/lib/clock.ts';
import type { Counter } from '../../../src/lib/counter.ts';
import { openApp } from '../../support/app.ts';
import { browserOf, notebook, person } from '../../support/people.ts';
import { authorizationRequest, signInWith } from '../../support/relying-party.ts';

test('all applications together get 2,000 codes a day for a member without a page, and then an error', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { id } = await person(app.portico, 'alice');
  const [client, other] = [await notebook(app.portico), await notebook(app.portico)];
  for (const one of [client, other]) await signInWith(app, one, 'alice');
  const browser = await browserOf(app, 'alice');
  const ask = async (to = client) => {
    const answer = await browser.open(`/oauth/authorize?${authorizationRequest(to)}`);
    return new URL(answer.headers.get('location') ?? app.url).searchParams;
  };

  assert.ok((await ask()).has('code'));
  await hits(app.portico.counter, `authorize:day:${id}`, 1998);
  assert.ok((await ask(other)).has('code'));
  const [beyond, elsewhere] = [await ask(), await ask(other)];

  assert.equal(beyond.get('error'), 'temporarily_unavailable');
  assert.match(beyond.get('error_description') ?? '', /very often within a day/);
  assert.equal(elsewhere.get('error'), 'temporarily_unavailable');
  app.clock.advance(DAY);
  const tomorrow = await browserOf(app, 'alice');
  const answer = await tomorrow.open(`/oauth/authorize?${authorizationRequest(client)}`);
  assert.match(answer.headers.get('location') ?? '', /[?&]code=/);
});

async function hits(counter: Counter, key: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await counter.hit(key, 2000, DAY / 1000);
}
