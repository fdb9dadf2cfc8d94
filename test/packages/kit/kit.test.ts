// The kit, as the tests of somebody's application use it: the package, with the client library as the application.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { install } from '../../../packages/build.ts';
import { memoryStore, PorticoApplication } from '../../../packages/client/src/index.ts';
import type { RegisteredApplication } from '../../../packages/kit/src/index.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { because } from '../client/relying-application.ts';

const folder = await temporaryFolder({ after });
install(folder, 'kit');
const { startPortico }: typeof import('../../../packages/kit/src/index.ts') = await import(
  join(folder, 'node_modules/portico-kit/dist/index.js')
);

const portico = await startPortico();
after(() => portico.close());

const waits: number[] = [];

/** The application under test. Its own clock stands still, so it learns of expired tokens from refusals. */
function applicationOf({ clientId, clientSecret, redirectUri }: RegisteredApplication): PorticoApplication {
  return new PorticoApplication({
    issuer: portico.issuer,
    clientId,
    ...(clientSecret === '' ? {} : { clientSecret }),
    redirectUri,
    wait: async (ms) => void waits.push(ms),
  });
}

async function signedIn(registration: RegisteredApplication = portico, as = 'alice') {
  const application = applicationOf(registration);
  const { url, attempt } = await application.beginSignIn();
  return application.finishSignIn(await portico.signIn(url, { as }), attempt, memoryStore());
}

test('One line starts a community with a member, three posts and an application', async () => {
  const member = await signedIn();

  assert.equal((await member.me()).username, 'alice');
  const titles = (await Array.fromAsync(member.posts())).map(({ title }) => title);
  assert.deepEqual(titles.sort(), ['On reading', 'On tea', 'On walking']);
});

test('Other members, posts and applications can be added', async () => {
  await portico.addMember('bob');
  await portico.publish('bob', 'On rain', 'It *rains*.');
  const registration = await portico.register({ redirectUri: 'https://pocket.example.com/cb' });

  const member = await signedIn(registration, 'bob');
  const { items } = await member.postPage();
  assert.deepEqual(
    items.map(({ title, excerpt }) => [title, excerpt]),
    [['On rain', 'It rains.']],
  );
  await assert.rejects(portico.addMember('bob'), /bob can't be added: .*taken/);
});

test('A member can deny, and can allow less', async () => {
  const registration = await portico.register({
    redirectUri: 'https://a.example.com/',
    kind: 'confidential',
  });
  const application = applicationOf(registration);
  const denied = await application.beginSignIn();
  const callback = await portico.signIn(denied.url, { allow: false });
  await assert.rejects(
    application.finishSignIn(callback, denied.attempt, memoryStore()),
    because('denied', /did not allow/),
  );

  const { url, attempt } = await application.beginSignIn();
  const answer = await portico.signIn(url, { scopes: ['profile:read'] });
  const member = await application.finishSignIn(answer, attempt, memoryStore());
  assert.deepEqual(await member.scopes(), ['openid', 'profile:read']);
});

test('A wrong request ends with what the page says', async () => {
  const wrong = applicationOf({ ...portico, redirectUri: 'https://elsewhere.example.com/' });

  const { url } = await wrong.beginSignIn();
  await assert.rejects(portico.signIn(url), /the page says ".*address/);
});

test('A code expires when five minutes pass', async () => {
  const application = applicationOf(portico);
  const { url, attempt } = await application.beginSignIn();
  const callback = await portico.signIn(url);
  await portico.advance(301);

  await assert.rejects(
    application.finishSignIn(callback, attempt, memoryStore()),
    because('sign_in_failed', /expired.*Begin the sign-in again/),
  );
});

test('An access token expires when an hour passes, and a refresh gets another one', async () => {
  const member = await signedIn();
  const token = await member.accessToken();
  await portico.advance(3600);

  assert.equal((await member.me()).username, 'alice');
  assert.notEqual(await member.accessToken(), token);
});

test('The API and the token endpoint refuse the next requests with 429 and 503', async () => {
  const member = await signedIn();
  waits.length = 0;
  await portico.failNext('rate_limited', 'api');
  await portico.failNext('unavailable', 'api');
  assert.equal((await member.me()).username, 'alice');
  assert.deepEqual(waits, [60_000, 5000]);

  await portico.advance(3600);
  await portico.failNext('unavailable', 'tokens');
  assert.equal((await member.me()).username, 'alice');
  await portico.advance(3600);
  await portico.failNext('rate_limited', 'tokens');
  await assert.rejects(member.me(), because('rate_limited', /Wait 60 seconds/));
});

test('A lost answer and a replayed refresh token end the sign-in of a public application', async () => {
  const registration = await portico.register({ redirectUri: 'https://pocket.example.com/cb' });
  const first = await signedIn(registration);
  await portico.advance(3600);
  await portico.failNext('lost_answer', 'tokens');
  await assert.rejects(first.me(), because('unavailable', /can't be reached/));
  await assert.rejects(first.me(), because('sign_in_again', /interrupted .*the new one is lost/));

  const second = await signedIn(registration);
  await portico.advance(3600);
  await portico.failNext('replayed', 'tokens');
  await assert.rejects(second.me(), because('sign_in_again', /Ask the member to sign in again/));
  await assert.rejects(portico.failNext('replayed', 'api'), /failNext\('replayed', 'tokens'\)/);
});

test('Withdrawn consent and replaced keys take effect at once', async () => {
  const member = await signedIn();
  await portico.replaceKeys();
  assert.equal((await (await signedIn()).me()).username, 'alice');

  await portico.withdrawConsent('alice', portico.clientId);
  await assert.rejects(member.me(), because('sign_in_again', /sign in again/));
  await assert.rejects(portico.withdrawConsent('alice', portico.clientId), /has not allowed/);
});

test('Each community is on its own, and is gone after closing it', async () => {
  const redirectUri = 'http://127.0.0.1:4001/cb';
  await using other = await startPortico({ redirectUri, kind: 'public', rateLimitPerMinute: 2 });
  assert.notEqual(other.issuer, portico.issuer);
  assert.deepEqual([other.redirectUri, other.clientSecret], [redirectUri, '']);
  await other.close();

  await assert.rejects(fetch(other.issuer));
  await assert.rejects(other.addMember('bob'), /The community has stopped/);
});
