// How often an application can send a signed-in member to the authorization endpoint.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OAuthParts } from '../../../src/http/oauth/oauth-parts.ts';
import { tooManySignIns } from '../../../src/http/oauth/sign-in-pace.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { type Counter, processCounter } from '../../../src/lib/counter.ts';
import type { Client } from '../../../src/oauth/client-store.ts';
import { openApp, TestClock } from '../../support/app.ts';
import { browserOf, notebook, person } from '../../support/people.ts';
import { authorizationRequest, signInWith } from '../../support/relying-party.ts';

test('an application gets 60 codes a minute for a member without a page, and then an error', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  await person(app.portico, 'alice');
  const [client, other] = [await notebook(app.portico), await notebook(app.portico)];
  await signInWith(app, client, 'alice');
  const browser = await browserOf(app, 'alice');
  const ask = async (to = client) => {
    const answer = await browser.open(`/oauth/authorize?${authorizationRequest(to)}`);
    return new URL(answer.headers.get('location') ?? app.url).searchParams;
  };
  app.clock.advance(MINUTE);

  const answers = [];
  for (let n = 0; n < 61; n += 1) answers.push(await ask());
  const last = answers.pop();

  assert.ok(answers.every((answer) => answer.has('code')));
  assert.equal(last?.get('error'), 'temporarily_unavailable');
  assert.match(last?.get('error_description') ?? '', /very often within a minute/);
  assert.equal((await ask(other)).get('error'), null);
  app.clock.advance(MINUTE);
  assert.ok((await ask()).has('code'));
});

test('an application gets 500 codes a day for a member without a page', async () => {
  const clock = new TestClock();
  const parts = { counter: processCounter(clock.read) } as unknown as OAuthParts;
  const client = { id: 'app_one' } as Client;
  const other = { id: 'app_other' } as Client;
  const refusals = async (to = client) => (await tooManySignIns(parts, 1, to))?.description;
  for (let n = 0; n < 500; n += 1) {
    assert.equal(await refusals(), undefined);
    if (n % 50 === 49) clock.advance(MINUTE);
  }

  assert.match((await refusals()) ?? '', /very often within a day. Wait \d+ seconds/);
  assert.equal(await refusals(other), undefined);
  clock.advance(DAY);
  assert.equal(await refusals(), undefined);
});

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
