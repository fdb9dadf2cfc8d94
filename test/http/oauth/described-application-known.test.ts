// Documents that the server knows are read again whatever members do at other addresses of the site, and serve on for a
// day while the site fails.

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { applicationOf } from '../../support/documents.ts';
import { browserOf, person } from '../../support/people.ts';
import { signInWith } from '../../support/relying-party.ts';
import { open, pathOf, textOf } from './described-fixture.ts';

const failing: RequestListener = (_, response) => void response.writeHead(503).end();
const gone: RequestListener = (_, response) => void response.writeHead(404).end();

test('Members who ask for addresses that a site does not have keep no one from its assistant', async (t) => {
  const { app, sites, alice } = await open(t, { TRUST_PROXY: '127.0.0.1' });
  const site = sites.add();
  await signInWith(app, applicationOf(site), 'alice');
  app.clock.advance(HOUR);
  const statuses = new Set<number>();
  for (let n = 0; n < 10; n += 1) {
    await person(app.portico, `mallory${n}`);
    const mallory = await browserOf(app, `mallory${n}`);
    for (let m = 0; m < 21; m += 1) {
      const invented = { ...applicationOf(site), id: `https://assistant.example/${n}-${m}.json` };
      const headers = { 'X-Forwarded-For': `198.51.100.${n}` };
      statuses.add((await mallory.open(pathOf(invented), { headers })).status);
    }
  }
  assert.deepEqual([...statuses], [400, 429]);
  const before = site.requests;

  assert.equal((await alice.open(pathOf(applicationOf(site)))).status, 303);
  assert.equal(site.requests, before + 1);
  await person(app.portico, 'bob');
  assert.equal((await (await browserOf(app, 'bob')).open(pathOf(applicationOf(site)))).status, 200);
});

test('While its site fails, a document serves on for a day', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  const path = pathOf(applicationOf(site));
  await signInWith(app, applicationOf(site), 'alice');
  site.answer = failing;

  app.clock.advance(HOUR);
  assert.equal((await alice.open(path)).status, 303);
  assert.equal((await alice.open(path)).status, 303);
  assert.equal(site.requests, 2);
  app.clock.advance(DAY - 1);
  assert.equal((await (await browserOf(app, 'alice')).open(path)).status, 303);
  app.clock.advance(1);
  const page = await alice.open(path);
  assert.equal(page.status, 400);
  assert.match(await textOf(page), /answered with status 503/);

  site.answer = undefined;
  app.clock.advance(MINUTE);
  assert.equal((await alice.open(path)).status, 303);
});

test('What the site itself takes away goes at once', async (t) => {
  const { app, sites, alice } = await open(t);
  const removed = sites.add();
  const broken = sites.add('broken.example');
  for (const site of [removed, broken]) await signInWith(app, applicationOf(site), 'alice');
  removed.answer = gone;
  broken.document.redirect_uris = [];
  app.clock.advance(HOUR);

  for (const site of [removed, broken]) {
    assert.equal((await alice.open(pathOf(applicationOf(site)))).status, 400);
    assert.equal((await alice.open(pathOf(applicationOf(site)))).status, 400);
  }
});

test('What the site took away stays away while its site fails, and beyond the limit on readings', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  const path = pathOf(applicationOf(site));
  await signInWith(app, applicationOf(site), 'alice');
  app.clock.advance(HOUR);
  site.answer = gone;
  assert.equal((await alice.open(path)).status, 400);

  site.answer = failing;
  for (let minute = 1; minute < 59; minute += 1) {
    app.clock.advance(MINUTE);
    assert.notEqual((await alice.open(path)).status, 303, `minute ${minute}`);
  }
  assert.equal(site.requests, 1 + 30);

  site.answer = undefined;
  app.clock.advance(HOUR);
  assert.equal((await alice.open(path)).status, 303);
});

test('A known document is read at most thirty times an hour, and serves on', async (t) => {
  const { app, sites, alice } = await open(t);
  const site = sites.add();
  await signInWith(app, applicationOf(site), 'alice');
  site.answer = failing;
  app.clock.advance(HOUR);

  for (let minute = 0; minute < 59; minute += 1) {
    assert.equal((await alice.open(pathOf(applicationOf(site)))).status, 303);
    app.clock.advance(MINUTE);
  }

  assert.equal(site.requests, 1 + 30);
});
