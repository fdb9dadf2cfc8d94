// Events for applications: which acts send what, and how each is signed.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { byCommandLine, byMember } from '../../src/audit/doer.ts';
import { setAccountStatus } from '../../src/identity/account-status.ts';
import type { AccountStatus } from '../../src/identity/user.ts';
import { DAY } from '../../src/lib/clock.ts';
import { openDelivery, tellOfEndedConsents } from '../../src/oauth/event-delivery.ts';
import { rotateWebhookSecret, setEventEndpoint } from '../../src/oauth/event-endpoint.ts';
import { narrowOwnConsent } from '../../src/oauth/narrowing.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { withdrawConsent, withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { type App, openApp } from '../support/app.ts';
import { openReceiver, type Receiver, sendToReceivers, verified } from '../support/event-receiver.ts';
import { notebook, type Person, person, pocket, type RegisteredClient } from '../support/people.ts';
import { addCode, addSignIn } from '../support/seeding.ts';

let app: App;
let alice: Person;
let client: RegisteredClient;
let receiver: Receiver;
let webhook: Webhook;

beforeEach(async (t) => {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  client = await notebook(app.portico);
  receiver = await openReceiver(t as TestContext);
  webhook = new Webhook(await register(client, receiver));
  await addSignIn(app.portico, client, alice.id);
});
afterEach(() => app.close());

async function register(to: RegisteredClient, { url }: Receiver): Promise<string> {
  const by = byCommandLine(app.clock.read);
  return (await setEventEndpoint(by, app.portico.oauth, to.id, 'webhook', url)).secret ?? '';
}

/** Deliver everything that is due. Returns the new events as the application verifies them. */
async function events(): Promise<unknown[]> {
  receiver.received.length = 0;
  const delivery = openDelivery(app.portico.oauth, sendToReceivers([receiver]), assert.ifError);
  while ((await delivery.begin()) > 0) await delivery.idle();
  return verified(webhook, receiver);
}

const own = () => byMember(alice, app.clock.read);
const operator = () => byCommandLine(app.clock.read);
const setStatus = (status: AccountStatus) =>
  setAccountStatus(operator(), app.portico.identity, alice, status);

async function allowForADay(): Promise<void> {
  const { reads, writes } = app.portico.oauth;
  const grant = await reads.findGrant(alice.id, client.id, app.clock.now);
  const { record } = await addCode(app.portico, client, alice.id);
  const code = { ...record, key: `${record.key.slice(0, -1)}_`, duration: '1_day' as const };
  assert.ok(await writes.approve(own(), grant, record.scopes, { ...code, grantEndsAt: app.clock.now + DAY }));
}

function event(type: string, data: object = {}): object {
  const timestamp = new Date(app.clock.now).toISOString();
  return { type, timestamp, data: { client_id: client.id, sub: String(alice.id), ...data } };
}

describe('an application gets a signed event', () => {
  test('with the scopes that are left, when the member narrows its access', async () => {
    await narrowOwnConsent(own(), app.portico.oauth, client.id, ['profile:read']);

    const scopes = ['profile:read'];
    assert.deepEqual(await events(), [event('access.narrowed', { scopes })]);
  });

  test('when the member pauses and resumes its access, in this order', async () => {
    await pauseOwnConsent(own(), app.portico.oauth, client.id);
    await resumeOwnConsent(own(), app.portico.oauth, client.id);

    const scopes = ['profile:read', 'posts:read'];
    assert.deepEqual(await events(), [event('access.paused'), event('access.resumed', { scopes })]);
  });

  test('when the member removes its access', async () => {
    await withdrawOwnConsent(own(), app.portico.oauth, client.id);

    assert.deepEqual(await events(), [event('access.ended', { data_deletion_required: false })]);
  });

  test('when an operator withdraws the consent', async () => {
    await withdrawConsent(operator(), app.portico.oauth, alice.id, client.id);

    assert.deepEqual(await events(), [event('access.ended', { data_deletion_required: false })]);
  });

  test('when the consent has come to its end by itself, and only once', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: app.clock.now });
    await allowForADay();
    await tellOfEndedConsents(app.portico.oauth);
    assert.deepEqual(await events(), []);

    app.clock.advance(1 * DAY);
    t.mock.timers.setTime(app.clock.now);
    await tellOfEndedConsents(app.portico.oauth);
    await tellOfEndedConsents(app.portico.oauth);

    assert.deepEqual(await events(), [event('access.ended', { data_deletion_required: false })]);
  });

  test('that its data must be deleted, when the account is closed, also after it lost access', async (t) => {
    const other = await pocket(app.portico);
    const receiverOfOther = await openReceiver(t, 'other');
    await register(other, receiverOfOther);
    await withdrawOwnConsent(own(), app.portico.oauth, client.id);
    await events();

    await setStatus('closed');

    assert.deepEqual(await events(), [event('access.ended', { data_deletion_required: true })]);
    assert.deepEqual(receiverOfOther.received, [], 'an application that alice never allowed hears nothing');
  });
});

describe('an application can’t learn that an account is suspended', () => {
  test('because it gets the events of a pause', async () => {
    await setStatus('suspended');
    await setStatus('active');

    const scopes = ['profile:read', 'posts:read'];
    assert.deepEqual(await events(), [event('access.paused'), event('access.resumed', { scopes })]);
  });

  test('and gets none while the member has paused it', async () => {
    await pauseOwnConsent(own(), app.portico.oauth, client.id);
    await setStatus('suspended');
    await setStatus('active');

    assert.deepEqual(await events(), [event('access.paused')]);
  });
});

test('after a rotation both secrets sign for a day', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: app.clock.now });
  const secret = await rotateWebhookSecret(operator(), app.portico.oauth, client.id);
  await pauseOwnConsent(own(), app.portico.oauth, client.id);
  await events();
  assert.equal(verified(new Webhook(secret ?? ''), receiver).length, 1);

  app.clock.advance(1 * DAY);
  t.mock.timers.setTime(app.clock.now);
  await resumeOwnConsent(own(), app.portico.oauth, client.id);
  const old = webhook;
  webhook = new Webhook(secret ?? '');
  assert.equal((await events()).length, 1);
  assert.throws(() => verified(old, receiver), /No matching signature/);
});

test('an endpoint must be a public https address', async () => {
  for (const [url, problem] of [
    ['http://a.example/', 'Use https.'],
    ['https://127.0.0.1/', 'The host is not on the public internet.'],
    ['https://[::1]/', 'The host is not on the public internet.'],
    ['https://localhost/', 'The host is not on the public internet.'],
    ['https://a.example:8443/', 'Use the standard port of https, 443.'],
    ['https://u:p@a.example/', 'The address contains a user name or password.'],
    ['https://a.example/#x', 'The address has a fragment (#), which is never sent.'],
    ['a.example', 'The address is not an absolute URL.'],
  ] as const) {
    await assert.rejects(setEventEndpoint(operator(), app.portico.oauth, client.id, 'webhook', url), {
      message: `${url}: ${problem}`,
    });
  }
});
