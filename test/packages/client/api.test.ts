// Reading with the client library: times as instants, all pages, limits, and errors that say what to do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { answerTypes } from '../../../packages/client/generate-answers.ts';
import { apiWithToken, instantOf, memoryStore } from '../../../packages/client/src/index.ts';
import { byServer } from '../../../src/audit/doer.ts';
import { createPersonalToken } from '../../../src/oauth/personal-token.ts';
import { type App, openApp } from '../../support/app.ts';
import { notebook, type Person, person, publish } from '../../support/people.ts';
import { applicationOf, attemptAs, because, signIn } from './relying-application.ts';

let app: App;
let alice: Person;

before(async () => {
  app = await openApp({ RATE_LIMIT_PER_MINUTE: '5' });
  alice = await person(app.portico, 'alice', 'Reads a lot');
  for (let number = 1; number <= 60; number += 1) await publish(app.portico, alice, `Post ${number}`);
});
after(() => app.close());

test('The types of the answers are those of the OpenAPI document that the server serves', () => {
  const url = new URL('../../../packages/client/src/answers.ts', import.meta.url);

  assert.equal(readFileSync(url, 'utf8'), answerTypes());
});

test('Times become instants', async () => {
  assert.equal(instantOf('2026-03-01T09:30:00').toISOString(), '2026-03-01T01:30:00.000Z');
  const session = await signIn(app, applicationOf(app, await notebook(app.portico)));
  const second = (instant: Date | number) => Math.floor(Number(instant) / 1000);

  assert.equal(second((await session.me()).createdAt), second(app.clock.now));
  const { items } = await session.postPage({ size: 1 });
  assert.equal(second(items[0]?.createdAt ?? 0), second(app.clock.now));
});

test('All posts come once, newest first, even if one is published meanwhile', async () => {
  const session = await signIn(app, applicationOf(app, await notebook(app.portico)));
  const titles: string[] = [];

  for await (const { title } of session.posts()) {
    if (titles.push(title) === 1) await publish(app.portico, alice, 'Post 61');
  }

  assert.equal(titles.length, 60);
  assert.deepEqual([titles[0], titles.at(-1)], ['Post 60', 'Post 1']);
  assert.equal(new Set(titles).size, 60);
});

test('Calls beyond the limit wait as long as the server says, and then succeed', async () => {
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    app.clock.advance(ms);
  };
  const session = await signIn(app, applicationOf(app, await notebook(app.portico), { wait }));

  for (let times = 0; times < 7; times += 1) assert.equal((await session.me()).bio, 'Reads a lot');

  assert.deepEqual(waits, [60_000]);
});

test('A program that doesn’t want to wait is told when to try again', async () => {
  const session = await signIn(
    app,
    applicationOf(app, await notebook(app.portico), { wait: async () => {} }),
  );
  for (let times = 0; times < 5; times += 1) await session.me();
  const expected = new Date(app.clock.now + 60_000);

  await assert.rejects(session.me(), (error: Error & { retryAt?: Date }) => {
    assert.deepEqual(error.retryAt, expected);
    return because('rate_limited', /Wait 60 seconds/)(error);
  });
});

test('A scope that the member did not allow is named', async () => {
  const application = applicationOf(app, await notebook(app.portico));
  const { callback, attempt } = await attemptAs(app, application, 'alice', {
    decision: 'allow',
    scope: ['profile:read'],
  });
  const session = await application.finishSignIn(callback, attempt, memoryStore());

  assert.deepEqual(await session.scopes(), ['openid', 'profile:read']);
  await assert.rejects(
    session.postPage(),
    because('scope_missing', /posts:read.* See http.*insufficient_scope/),
  );
});

test('A script reads its own account with an API token, and is told when that is no longer valid', async () => {
  const created = await createPersonalToken(byServer(app.portico.clock), app.portico.oauth, {
    userId: alice.id,
    name: 'script',
    scopes: ['profile:read'],
    days: 90,
  });
  assert('text' in created);
  const { text: token } = created;
  const api = apiWithToken({ issuer: app.url }, token);
  assert.equal((await api.me()).username, 'alice');
  assert.deepEqual((await api.info()).scopes, ['profile:read']);

  const dead = apiWithToken({ issuer: app.url }, `${token.slice(0, -1)}!`);
  await assert.rejects(
    dead.me(),
    because('token_refused', /Create another one under http.*\/settings\/tokens/),
  );
});
