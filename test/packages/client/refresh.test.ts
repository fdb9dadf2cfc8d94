// Refreshing with the client library: one at a time, saved before it is used, and clear about what was lost.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { memoryStore, type SavedTokens, type TokenStore } from '../../../packages/client/src/index.ts';
import { byServer } from '../../../src/audit/doer.ts';
import { withdrawConsent } from '../../../src/oauth/withdrawal.ts';
import { type App, openApp } from '../../support/app.ts';
import { notebook, type Person, person, pocket } from '../../support/people.ts';
import { revoke } from '../../support/relying-party.ts';
import { applicationOf, attemptAs, because, countingFetch, signIn } from './relying-application.ts';

const HOUR = 3_600_000;

let app: App;
let alice: Person;

before(async () => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
});
after(() => app.close());

test('Fifty parallel calls at the expiry of the token make one refresh', async () => {
  const { grants, fetch } = countingFetch();
  const session = await signIn(app, applicationOf(app, await pocket(app.portico), { fetch }));
  app.clock.advance(HOUR);

  const profiles = await Promise.all(Array.from({ length: 50 }, () => session.me()));

  assert.deepEqual(grants, ['authorization_code', 'refresh_token']);
  assert.ok(profiles.every(({ username }) => username === 'alice'));
});

test('Fifty parallel calls with a token that was revoked make one refresh', async () => {
  const { grants, fetch } = countingFetch();
  const client = await pocket(app.portico);
  const session = await signIn(app, applicationOf(app, client, { fetch }));
  await revoke(app, client, await session.accessToken());

  await Promise.all(Array.from({ length: 50 }, () => session.me()));

  assert.deepEqual(grants, ['authorization_code', 'refresh_token']);
});

test('The new tokens are saved before a request uses them', async () => {
  const events: string[] = [];
  const client = await pocket(app.portico);
  const store: TokenStore = memoryStore();
  await signIn(app, applicationOf(app, client), store);
  app.clock.advance(HOUR);

  const watchedStore: TokenStore = {
    ...store,
    async save(tokens) {
      events.push(tokens.refreshStartedAt === undefined ? `save ${tokens.accessToken}` : 'save mark');
      await store.save(tokens);
    },
  };
  const fetchAndNote = (url: string, init: RequestInit) => {
    const { pathname } = new URL(url);
    const [, token = ''] = (new Headers(init.headers).get('authorization') ?? '').split(' ');
    if (!pathname.startsWith('/.well-known/')) events.push(`${pathname} ${token}`.trim());
    return fetch(url, init);
  };
  await applicationOf(app, client, { fetch: fetchAndNote }).session(watchedStore).me();

  const { accessToken } = (await store.load()) as SavedTokens;
  assert.deepEqual(events, [
    'save mark',
    '/api/oauth/token',
    `save ${accessToken}`,
    `/api/open/v1/me ${accessToken}`,
  ]);
});

test('When access was removed, the tokens are discarded and the error says what to do', async () => {
  const client = await notebook(app.portico);
  const store = memoryStore();
  const session = await signIn(app, applicationOf(app, client), store);
  await withdrawConsent(byServer(app.portico.clock), app.portico.oauth, alice.id, client.id);

  await assert.rejects(session.me(), because('sign_in_again', /Ask the member to sign in again.* See http/));
  assert.equal(await store.load(), undefined);
});

test('Access for one sign-in has no refresh token, and the error after an hour says why', async () => {
  const application = applicationOf(app, await notebook(app.portico));
  const { callback, attempt } = await attemptAs(app, application, 'alice', {
    decision: 'allow',
    duration: 'once',
  });
  const session = await application.finishSignIn(callback, attempt, memoryStore());
  assert.equal((await session.me()).username, 'alice');
  app.clock.advance(HOUR);

  await assert.rejects(session.me(), because('sign_in_again', /allowed access for one sign-in only/));
});

test('While the community is away nothing is lost: a later refresh works', async () => {
  const client = await pocket(app.portico);
  const store = memoryStore();
  await signIn(app, applicationOf(app, client), store);
  app.clock.advance(HOUR);
  const waits: number[] = [];
  const away = applicationOf(app, client, {
    wait: async (ms) => void waits.push(ms),
    fetch: async (url, init) =>
      url.endsWith('/token')
        ? new Response('', { status: 503, headers: { 'Retry-After': '5' } })
        : fetch(url, init),
  });

  await assert.rejects(away.session(store).me(), because('unavailable', /status 503.*Try again later/));
  assert.deepEqual(waits, [5000, 5000]);
  assert.equal((await applicationOf(app, client).session(store).me()).username, 'alice');
});

test('A code or refresh token is never sent twice, even if a proxy says that the server gave no answer', async () => {
  const client = await pocket(app.portico);
  const store = memoryStore();
  await signIn(app, applicationOf(app, client), store);
  app.clock.advance(HOUR);
  let requests = 0;
  const behindProxy = applicationOf(app, client, {
    wait: async () => {},
    async fetch(url, init) {
      const answer = await fetch(url, init);
      if (!url.endsWith('/token')) return answer;
      requests += 1;
      return new Response('', { status: 504 });
    },
  });

  await assert.rejects(behindProxy.session(store).me(), because('unavailable', /status 504/));
  assert.equal(requests, 1);
  const next = applicationOf(app, client).session(store);
  await assert.rejects(next.me(), because('sign_in_again', /interrupted .*the new one is lost/));
});

test('When two processes share a store without a common lock, the slower one uses the tokens of the faster one', async () => {
  const client = await notebook(app.portico);
  const store = memoryStore();
  await signIn(app, applicationOf(app, client), store);
  app.clock.advance(HOUR);
  const unlocked: TokenStore = { ...store, lock: (work) => work() };
  const fast = applicationOf(app, client).session(unlocked);
  const slow = applicationOf(app, client, {
    async fetch(url, init) {
      if (url.endsWith('/token')) await fast.accessToken();
      return fetch(url, init);
    },
  }).session(unlocked);

  assert.equal((await slow.me()).username, 'alice');
  assert.equal((await fast.me()).username, 'alice');
});

test('A store that can’t be written is noticed before the refresh token is spent', async () => {
  const client = await pocket(app.portico);
  const store = memoryStore();
  await signIn(app, applicationOf(app, client), store);
  app.clock.advance(HOUR);
  const full: TokenStore = {
    ...store,
    save() {
      throw new Error('no space left');
    },
  };

  await assert.rejects(applicationOf(app, client).session(full).me(), /no space left/);
  assert.equal((await applicationOf(app, client).session(store).me()).username, 'alice');
});
