// The operators' page about background work and signing keys.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { member } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const { browser: operator } = await member(app, 'olivia', { isOperator: true });
const PATH = '/operator/server';

test('An operator sees without a shell that background work runs, and why it last failed', async () => {
  const before = await operator.read(PATH);
  await portico.audit.writes.recordRun('purging', app.clock.now - 2 * MINUTE);
  await portico.audit.writes.recordRun('rendering', app.clock.now - 3 * HOUR);
  await portico.audit.writes.recordFailure('rendering', app.clock.now - HOUR, 'disk <full>');

  const page = await operator.read(PATH);

  assert.match(before, /Delete expired data[\s\S]*Never[\s\S]*None/);
  assert.match(page, /Delete expired data\s*<\/th>[\s\S]*2 minutes ago[\s\S]*None/);
  assert.match(page, /Render texts[\s\S]*Failing[\s\S]*3 hours ago[\s\S]*1 hour ago[\s\S]*disk &lt;full&gt;/);
  assert.match(page, /href="\/operator\/mails">Send mail<\/a>/);
});

test('An operator sees the state, age and next rotation of each signing key, and no private part', async () => {
  const keys = await portico.oauth.reads.signingKeys();
  const page = await operator.read(PATH);
  const active = keys.find(({ alg, state }) => alg === 'RS256' && state === 'active');
  const row = page.split('<tr>').find((text) => text.includes(active?.kid ?? '?')) ?? '';
  const due = (active?.activatedAt ?? 0) + 90 * DAY;

  assert.equal(keys.length, 4);
  for (const { kid } of keys) assert.ok(page.includes(`<code>${kid}</code>`));
  assert.match(row, /RS256[\s\S]*Signs[\s\S]*Retires on/);
  assert.ok(row.includes(`datetime="${new Date(due).toISOString().slice(0, 19)}Z"`));
  for (const { privateJwk } of keys) {
    for (const part of [privateJwk.d, privateJwk.p, privateJwk.q]) {
      if (part !== undefined) assert.ok(!page.includes(part));
    }
  }
});
