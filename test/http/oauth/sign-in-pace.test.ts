// How often an application can send a signed-in member to the authorization endpoint.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
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
