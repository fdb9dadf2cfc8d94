// Delivering events: receivers that fail, hang, redirect or lead to private addresses, and what becomes of events.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import { byCommandLine, byMember } from '../../src/audit/doer.ts';
import { eventSender } from '../../src/background.ts';
import { setEmail } from '../../src/identity/email-by-operator.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { openDelivery, type Send } from '../../src/oauth/event-delivery.ts';
import { setEventEndpoint } from '../../src/oauth/event-endpoint.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { fetchWith, namesLeadTo } from '../lib/public-server.ts';
import { type App, openApp } from '../support/app.ts';
import { temporaryFolder } from '../support/databases.ts';
import { accept, openReceiver, type Receiver, sendToReceivers, status } from '../support/event-receiver.ts';
import { notebook, type Person, person, type RegisteredClient } from '../support/people.ts';
import { addSignIn } from '../support/seeding.ts';

let app: App;
let outbox: string;
let [alice, olga]: Person[] = [];
let client: RegisteredClient;

beforeEach(async (t) => {
  const folder = await temporaryFolder(t as TestContext);
  outbox = join(folder, 'outbox');
  app = await openApp({ DATABASE_URL: `file:${join(folder, 'portico.db')}` });
  alice = await person(app.portico, 'alice');
  olga = await person(app.portico, 'olga');
  client = await notebook(app.portico, { ownerId: olga.id });
  await addSignIn(app.portico, client, alice.id);
});
afterEach(() => app.close());

const as = (member: Person | undefined) => byMember(member as Person, app.clock.read);

async function receive(receiver: { url: string }, to = client): Promise<void> {
  await setEventEndpoint(byCommandLine(app.clock.read), app.portico.oauth, to.id, 'webhook', receiver.url);
}

async function pauseAndResume(): Promise<void> {
  await pauseOwnConsent(as(alice), app.portico.oauth, client.id);
  await resumeOwnConsent(as(alice), app.portico.oauth, client.id);
}

/** Make all attempts that are due. Returns how each failed. */
async function attempt(send: Send): Promise<string[]> {
  const failures: string[] = [];
  const delivery = openDelivery(app.portico.oauth, send, ({ problem, outcome }) =>
    failures.push(`${outcome}: ${problem}`),
  );
  while ((await delivery.begin()) > 0) await delivery.idle();
  return failures;
}

const typesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type);
const stateOf = async (id = client.id) => (await app.portico.oauth.reads.endpointStates(id))[0];

test('an event that fails is tried again, and later ones of the same member wait for it', async (t) => {
  const receiver = await openReceiver(t);
  await receive(receiver);
  await pauseAndResume();
  receiver.answer = status(503);

  assert.deepEqual(await attempt(sendToReceivers([receiver])), ['postponed: HTTP status 503']);
  assert.deepEqual(typesOf(receiver), ['access.paused']);
  const { waiting, problem } = (await stateOf()) ?? {};
  assert.deepEqual([waiting, problem], [2, 'HTTP status 503']);

  receiver.answer = accept;
  app.clock.advance(3 * SECOND);
  assert.deepEqual(await attempt(sendToReceivers([receiver])), []);
  assert.equal(receiver.received.length, 1, 'the pause is over too early');
  app.clock.advance(4 * SECOND);
  assert.deepEqual(await attempt(sendToReceivers([receiver])), []);
  assert.deepEqual(typesOf(receiver), ['access.paused', 'access.paused', 'access.resumed']);
  assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id']);
  assert.deepEqual([(await stateOf())?.waiting, (await stateOf())?.problem], [0, undefined]);
});

test('other members don’t wait for it', async (t) => {
  const receiver = await openReceiver(t);
  await receive(receiver);
  await addSignIn(app.portico, client, olga?.id ?? 0);
  await pauseAndResume();
  await withdrawOwnConsent(as(olga), app.portico.oauth, client.id);
  receiver.answer = (request, response) => {
    const last = JSON.parse(receiver.received.at(-1)?.body ?? '');
    (last.data.sub === String(olga?.id) ? accept : status(500))(request, response);
  };

  await attempt(sendToReceivers([receiver]));
  assert.ok(typesOf(receiver).includes('access.ended'));
  assert.equal((await stateOf())?.waiting, 2);
});

test('an event is given up after three days, and the next one is tried', async (t) => {
  const receiver = await openReceiver(t);
  await receive(receiver);
  await pauseAndResume();
  receiver.answer = status(500);

  let failures: string[] = [];
  const begin = app.clock.now;
  while (!failures.includes('given_up: HTTP status 500')) {
    app.clock.advance(1 * HOUR);
    failures = await attempt(sendToReceivers([receiver]));
  }
  const days = (app.clock.now - begin) / DAY;
  assert.ok(days > 2.5 && days <= 3.1, `${days} days`);
  assert.ok(receiver.received.length >= 10, `${receiver.received.length} attempts`);
  assert.ok(Number((await stateOf())?.givenUp) >= 1);
  assert.equal(typesOf(receiver).at(-1), 'access.resumed');
});

test('an endpoint that fails for days is turned off, its owner gets a mail, and setting it turns it on', async (t) => {
  const receiver = await openReceiver(t);
  await receive(receiver);
  await giveAddress();
  receiver.answer = status(500);

  for (let hours = 0; hours < 24 * 9; hours += 4) {
    if (hours % 24 === 0) await pauseAndResume();
    app.clock.advance(4 * HOUR);
    await attempt(sendToReceivers([receiver]));
  }
  const state = await stateOf();
  assert.ok(state?.disabledAt);
  assert.equal(state.waiting, 0);
  await app.portico.sendMails();
  const letters = await lettersIn(outbox);
  assert.match(letters.join('\n'), /no longer sends events to your application/);

  await receive(receiver);
  receiver.answer = accept;
  receiver.received.length = 0;
  await pauseAndResume();
  await attempt(sendToReceivers([receiver]));
  assert.deepEqual(typesOf(receiver), ['access.paused', 'access.resumed']);
});

test('an endpoint that answers 410 is turned off at once', async (t) => {
  const receiver = await openReceiver(t);
  await receive(receiver);
  await pauseAndResume();
  receiver.answer = status(410);

  assert.deepEqual(await attempt(sendToReceivers([receiver])), ['disabled: HTTP status 410']);
  assert.deepEqual([(await stateOf())?.waiting, (await stateOf())?.givenUp], [0, 2]);
});

test('redirects are not followed', async (t) => {
  const [receiver, target] = [await openReceiver(t), await openReceiver(t, 'target')];
  await receive(receiver);
  await pauseAndResume();
  receiver.answer = status(307, { Location: `http://target.example:${target.port}/` });

  const [failure] = await attempt(sendToReceivers([receiver, target]));
  assert.match(failure ?? '', /^postponed: .*redirects to another address$/);
  assert.deepEqual(target.received, []);
});

test('a private address never gets an event, also when the name leads there only later', async () => {
  await receive({ url: 'https://receiver.example/events' });
  await pauseAndResume();
  const lookup = namesLeadTo('203.0.113.7', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1');
  const send = eventSender(fetchWith({ network: { lookup }, connectTime: 100 }));

  for (let asked = 0; asked < 5; asked += 1) {
    const [failure] = await attempt(send);
    assert.equal(failure, "postponed: The address can't be reached on the public internet");
    app.clock.advance(8 * HOUR);
  }
});

test('a hanging endpoint doesn’t delay another', async (t) => {
  const [hanging, quick] = [await openReceiver(t, 'hanging'), await openReceiver(t, 'quick')];
  hanging.answer = () => {};
  const other = await notebook(app.portico, { name: 'Other' });
  await addSignIn(app.portico, other, alice?.id ?? 0);
  await receive(hanging);
  await receive(quick, other);
  await pauseAndResume();
  await withdrawOwnConsent(as(alice), app.portico.oauth, other.id);
  const failures: string[] = [];
  const delivery = openDelivery(
    app.portico.oauth,
    sendToReceivers([hanging, quick], { time: 2000 }),
    ({ problem }) => failures.push(problem),
  );

  await delivery.begin();
  while ((await stateOf(other.id))?.waiting !== 0) await new Promise(setImmediate);
  assert.deepEqual([typesOf(quick), failures], [['access.ended'], []]);
  await delivery.idle();
  assert.match(failures[0] ?? '', /does not answer in time/);
});

test('while slow endpoints take all attempts, the one whose last attempt is longest ago is next', async () => {
  const others = await Promise.all([1, 2, 3].map((number) => person(app.portico, `member${number}`)));
  const members = [alice, ...others];
  for (let number = 1; number <= 51; number += 1) {
    const to = await notebook(app.portico, { name: `Application ${number}` });
    await receive({ url: `https://to${number}.example/events` }, to);
    for (const member of members) {
      await addSignIn(app.portico, to, member?.id ?? 0);
      await pauseOwnConsent(as(member), app.portico.oauth, to.id);
      await resumeOwnConsent(as(member), app.portico.oauth, to.id);
    }
  }
  const waiting: { url: string; answer(status: number): void }[] = [];
  const send: Send = ({ url }) =>
    new Promise((answer) => {
      waiting.push({ url, answer });
    });
  let done = 0;
  const delivery = openDelivery(
    app.portico.oauth,
    send,
    () => {},
    () => (done += 1),
  );
  const begin = async (count: number): Promise<void> => {
    await delivery.begin();
    while (waiting.length < count) await new Promise(setImmediate);
  };

  await begin(200);
  const urls = waiting.map(({ url }) => url);
  const first = urls[0];
  for (const { answer } of waiting.filter(({ url }) => url === first)) answer(200);
  while (done < 4) await new Promise(setImmediate);
  await begin(204);

  const next = new Set(waiting.slice(200, 204).map(({ url }) => url));
  assert.deepEqual([next.size, urls.includes([...next][0] ?? '')], [1, false]);
});

test('an attempt of a process that died is made again after a minute', async (t) => {
  const receiver = await openReceiver(t);
  await receive(receiver);
  await pauseAndResume();
  const dying = openDelivery(app.portico.oauth, sendToReceivers([receiver]), () => {});
  await dying.begin();
  dying.stop();
  await dying.idle();

  assert.deepEqual([await attempt(sendToReceivers([receiver])), receiver.received.length], [[], 1]);
  app.clock.advance(1 * MINUTE);
  await attempt(sendToReceivers([receiver]));
  assert.deepEqual(typesOf(receiver), ['access.paused', 'access.paused', 'access.resumed']);
});

async function giveAddress(): Promise<void> {
  const { identity } = app.portico;
  const user = await identity.reads.findUser(olga?.id ?? 0);
  assert.ok(user);
  const change = { email: 'olga@x.example', language: 'en' };
  assert.equal(await setEmail(byCommandLine(app.clock.read), identity, user, change), undefined);
  await app.portico.sendMails();
}

async function lettersIn(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
}
