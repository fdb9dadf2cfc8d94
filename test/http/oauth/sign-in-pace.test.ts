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
import { answerConsent, authorizationRequest, signInWith } from '../../support/relying-party.ts';

test('an application gets 60 codes a minute for a member without a page, and then the member is asked', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  await person(app.portico, 'alice');
  const [client, other] = [await notebook(app.portico), await notebook(app.portico)];
  await signInWith(app, client, 'alice');
  const browser = await browserOf(app, 'alice');
  const ask = async (to = client, changes = {}) => {
    const answer = await browser.open(`/oauth/authorize?${authorizationRequest(to, changes)}`);
    return new URL(answer.headers.get('location') ?? app.url).searchParams;
  };
  app.clock.advance(MINUTE);

  const answers = [];
  for (let n = 0; n < 60; n += 1) answers.push(await ask());
  const page = await browser.read(`/oauth/authorize?${authorizationRequest(client)}`);
  const silent = await ask(client, { prompt: 'none' });

  assert.ok(answers.every((answer) => answer.has('code')));
  assert.match(page, /Applications signed you in many times in a short time, so we ask this time/);
  assert.doesNotMatch(page, /<span class="badge">New</);
  assert.equal(silent.get('error'), 'temporarily_unavailable');
  assert.match(silent.get('error_description') ?? '', /very often within a minute/);
  assert.ok((await answerConsent(browser, authorizationRequest(client))).searchParams.has('code'));
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

test('all applications together get 2,000 codes a day for a member without a page, and then the member is asked', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { id } = await person(app.portico, 'alice');
  const [client, other] = [await notebook(app.portico), await notebook(app.portico)];
  for (const one of [client, other]) await signInWith(app, one, 'alice');
  const browser = await browserOf(app, 'alice');
  const ask = async (to = client, changes = {}) => {
    const answer = await browser.open(`/oauth/authorize?${authorizationRequest(to, changes)}`);
    return new URL(answer.headers.get('location') ?? app.url).searchParams;
  };

  assert.ok((await ask()).has('code'));
  await hits(app.portico.counter, `authorize:day:${id}`, 1998);
  assert.ok((await ask(other)).has('code'));

  for (const one of [client, other]) {
    const silent = await ask(one, { prompt: 'none' });
    assert.equal(silent.get('error'), 'temporarily_unavailable');
    assert.match(silent.get('error_description') ?? '', /very often within a day/);
    assert.ok((await answerConsent(browser, authorizationRequest(one))).searchParams.has('code'));
  }
  app.clock.advance(DAY);
  const tomorrow = await browserOf(app, 'alice');
  const answer = await tomorrow.open(`/oauth/authorize?${authorizationRequest(client)}`);
  assert.match(answer.headers.get('location') ?? '', /[?&]code=/);
});

test('a page of another origin gets no code with a fetch or a picture, but with a frame', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  await person(app.portico, 'alice');
  const client = await notebook(app.portico);
  await signInWith(app, client, 'alice');
  const browser = await browserOf(app, 'alice');
  const ask = (headers: Record<string, string>) =>
    browser.open(`/oauth/authorize?${authorizationRequest(client, { prompt: 'none' })}`, { headers });

  for (const site of ['same-site', 'cross-site']) {
    for (const dest of ['empty', 'image', 'script']) {
      const refused = await ask({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': dest });
      assert.deepEqual([refused.status, refused.headers.get('location')], [403, null]);
    }
    for (const dest of ['document', 'iframe']) {
      const answer = await ask({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': dest });
      assert.match(answer.headers.get('location') ?? '', /[?&]code=/);
    }
  }
  for (const headers of [{}, { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' }]) {
    assert.match((await ask(headers)).headers.get('location') ?? '', /[?&]code=/);
  }
});

async function hits(counter: Counter, key: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await counter.hit(key, 2000, DAY / 1000);
}
