// An application that its owner changes while another member has the offer open.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../../../support/app.ts';
import { browserOf, notebook, person } from '../../../support/people.ts';

test('an offer is accepted only as it was seen', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { id: ownerId } = await person(app.portico, 'mallory');
  await person(app.portico, 'bob');
  const path = `/developers/apps/${(await notebook(app.portico, { ownerId })).id}`;
  const [mallory, bob] = [await browserOf(app, 'mallory'), await browserOf(app, 'bob')];
  const accept = (page: string) => bob.submit(page, '/developers/apps/offers', { answer: 'accept' });
  const transfer = { act: 'transfer', username: 'bob' };
  await mallory.submit(await mallory.read(`${path}/status`), `${path}/status`, transfer);
  const page = await bob.read('/developers/apps');
  const settings = await mallory.read(`${path}/settings`);
  await mallory.submit(settings, `${path}/settings`, { name: 'Town Bank' });

  const location = (await accept(page)).headers.get('location') ?? '';

  const again = await bob.read(location);
  assert.match(again, /The application has changed since you opened the page[\s\S]*<h2>Town Bank<\/h2>/);
  assert.equal((await bob.open(path)).status, 404);
  assert.equal((await accept(again)).headers.get('location'), path);
});
