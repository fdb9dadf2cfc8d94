// Operators approve or refuse applications that wait, and look after those that no member owns.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { renewLooks } from '../../../src/oauth/client-looks.ts';
import type { RegistrationMode } from '../../../src/oauth/own-client.ts';
import type { Browser } from '../../support/browser.ts';
import { member, notebook, PASSWORD, person, pocket, setStatus } from '../../support/people.ts';
import { authorizationRequest, signInWith } from '../../support/relying-party.ts';
import { openMailFixture } from './mail-fixture.ts';
import { drawPicture, uploadAppLogo } from './picture-form.ts';

const WAITING = '/operator/applications?state=waiting';
const REVIEW = '/operator/applications/review';
const NEW = '/developers/apps/new';

const { app, server, memberWithAddress, mailedLink } = await openMailFixture({ after });
const { portico } = app;
const { browser: operator } = await member(app, 'olivia', { isOperator: true });
const known = await notebook(portico);
await person(portico, 'alice');
await signInWith(app, known, 'alice');
let names = 0;

beforeEach(async () => {
  // Each test starts with an operator who has just proved who they are.
  await operator.signIn('olivia', PASSWORD);
  for (const _ of await portico.oauth.reads.waitingClients(9)) await decide('approve');
  while ((await portico.sendMails()) > 0);
});

async function setMode(applications: RegistrationMode): Promise<void> {
  await portico.site.writes.saveSettings(byServer(portico.clock), { applications });
}

/** Register an application that waits. Returns its id. */
async function register(browser: Browser, fields: Record<string, string | string[]> = {}): Promise<string> {
  await setMode('approval');
  const form = {
    kind: 'browser',
    name: 'Reading list',
    redirect_uri: ['https://list.example/callback'],
    scope: ['openid', 'profile:read'],
    ...fields,
  };
  const answer = await browser.submit(await browser.read(NEW), NEW, form);
  return /app_[A-Za-z0-9]{22}/.exec(await answer.text())?.[0] ?? '';
}

/** Decide about the application that waits longest. */
async function decide(decision: 'approve' | 'refuse', reason = ''): Promise<Response> {
  const page = await operator.read(WAITING);
  const [, id = ''] = /name="client_id" value="(\w+)"/.exec(page) ?? [];
  return operator.submit(page, REVIEW, { decision, [`reason-${id}`]: reason });
}

function developer(): Promise<Browser> {
  names += 1;
  return memberWithAddress(`developer${names}`);
}

test('an operator sees at once how many wait, the longest first, with what is needed to judge them', async () => {
  const browser = await developer();
  const first = await register(browser, {
    name: 'Notebооk',
    description: 'Keeps what you read.',
    home_page: 'https://list.example/',
  });
  app.clock.advance(HOUR);
  const second = await register(browser);

  await renewLooks(app.portico.oauth);
  assert.match(await operator.read('/operator'), /state=waiting">Review 2 waiting applications</);
  const page = await operator.read(WAITING);
  assert.ok(page.indexOf(first) < page.indexOf(second));
  for (const text of [
    'https://list.example/callback',
    'href="https://list.example/"',
    'Keeps what you read.',
    'profile:read',
    `>developer${names}</a>`,
    'Joined',
    '2 applications',
    '1 hour ago',
    'Its name mixes letters of different alphabets',
    'Its name looks like Notebook',
  ]) {
    assert.ok(page.includes(text), text);
  }
});

test('an approved application works at once, and its owner is told by notification and mail', async () => {
  const browser = await developer();
  const id = await register(browser);
  const client = { id, secret: '', redirectUri: 'https://list.example/callback' };
  const visit = () => browser.open(`/oauth/authorize?${authorizationRequest(client, PKCE)}`);
  await uploadAppLogo(browser, client, await drawPicture());
  assert.equal((await visit()).status, 400);

  const answer = await decide('approve');

  assert.match(
    await operator.read(answer.headers.get('location') ?? ''),
    /Approved\. The owner was notified\./,
  );
  const consent = await visit();
  assert.equal(consent.status, 200);
  // The operator saw the logo on the same card.
  assert.match(await consent.text(), /class="client-mark"[^>]* src="\/logos\//);
  assert.match(
    await browser.read('/notifications'),
    /approved your application “Reading list”\. It works now/,
  );
  assert.equal(await mailedLink(), `/developers/apps/${id}`);
  assert.match(server.mails.at(-1)?.text ?? '', /approved your application “Reading list”/);
  const [entry] = await portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual([entry?.action, entry?.actorName, entry?.subject.id], ['client.approve', 'olivia', id]);
});

const PKCE = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' };

test('a refused application gives its owner the reason, who changes it and asks again', async () => {
  const browser = await developer();
  const id = await register(browser);
  const page = `/developers/apps/${id}`;

  const missing = await decide('refuse', ' ');
  assert.equal(missing.status, 400);
  assert.match(await missing.text(), /Enter a reason of 1 to 500 characters/);
  const long = await decide('refuse', 'x'.repeat(501));
  assert.ok((await long.text()).includes('x'.repeat(501)));
  await decide('refuse', 'Use an address of your own.');

  assert.match(await operator.read(WAITING), /No application waits/);
  assert.match(await operator.read('/operator/applications'), /Not approved/);
  for (const path of [page, `${page}/status`, '/notifications']) {
    assert.match(await browser.read(path), /Use an address of your own\./);
  }
  await mailedLink();
  assert.match(
    server.mails.at(-1)?.text ?? '',
    /did not approve your application[\s\S]*Use an address of your own\./,
  );
  // It can't be activated in another way.
  for (const act of ['deactivate', 'activate']) {
    await browser.submit(await browser.read(`${page}/status`), `${page}/status`, { act });
  }
  assert.equal((await portico.oauth.reads.findClient(id))?.status, 'deactivated');

  const asked = await browser.submit(await browser.read(`${page}/status`), `${page}/status`, { act: 'ask' });
  assert.equal(asked.status, 303);
  assert.match(await operator.read(WAITING), new RegExp(id));
  assert.match(await browser.read(page), /An operator has to approve this application/);
});

test('an application that its owner changed meanwhile is neither approved nor refused', async () => {
  const browser = await developer();
  const id = await register(browser);
  const page = await operator.read(WAITING);
  const path = `/developers/apps/${id}/settings`;
  await browser.submit(await browser.read(path), path, { redirect_uri: ['https://other.example/callback'] });

  for (const decision of ['approve', 'refuse']) {
    const answer = await operator.submit(page, REVIEW, { decision, [`reason-${id}`]: 'No.' });
    assert.match(answer.headers.get('location') ?? '', /done=changed/);
  }
  assert.equal((await portico.oauth.reads.findClient(id))?.deactivation, 'approval');
});

test('an operator edits an application that no member owns, and gives it to a member who accepts', async () => {
  const { id } = await pocket(portico, { name: 'Orphan' });
  const page = `/developers/apps/${id}`;
  assert.match(
    await operator.read('/operator/applications'),
    new RegExp(`href="${page}" aria-label="Manage: Orphan"`),
  );
  assert.match(await operator.read(page), /No member owns this application/);
  const bob = await developer();
  assert.equal((await bob.open(page)).status, 404);

  await operator.submit(await operator.read(`${page}/settings`), `${page}/settings`, { name: 'Foundling' });
  const [entry] = await portico.audit.reads.auditEvents({ limit: 1 });
  assert.deepEqual([entry?.action, entry?.actorName], ['client.update', 'olivia']);
  for (const act of ['deactivate', 'activate']) {
    await operator.submit(await operator.read(`${page}/status`), `${page}/status`, { act });
  }
  const status = await operator.read(`${page}/status`);
  await operator.submit(status, `${page}/status`, { act: 'transfer', username: `developer${names}` });
  const offers = await bob.read('/developers/apps');
  assert.match(offers, /Foundling[\s\S]*The operators want to give you this application/);
  await bob.submit(offers, '/developers/apps/offers', { answer: 'accept' });

  assert.equal((await bob.open(page)).status, 200);
  assert.equal((await operator.open(page)).status, 404);
});

test('an application of a closed account is looked after by operators, who prove who they are', async () => {
  const { id: ownerId } = await person(portico, 'gone');
  const { id } = await pocket(portico, { ownerId });
  const page = `/developers/apps/${id}`;
  assert.equal((await operator.open(page)).status, 404);
  await setStatus(portico.identity, ownerId, 'closed');
  app.clock.advance(11 * MINUTE);

  const settings = await operator.read(`${page}/settings`);
  const asked = await operator.submit(settings, `${page}/settings`, { name: 'Found' });
  const proof = await asked.text();
  const logo = await uploadAppLogo(operator, { id }, await drawPicture());

  assert.match(proof, /Confirm your identity/);
  assert.match(logo.headers.get('location') ?? '', /^\/settings\/security\/confirm/);
  assert.equal((await portico.oauth.reads.findClient(id))?.name, 'Pocket');
  await operator.submit(proof, `${page}/settings`, { proof_password: PASSWORD });
  await uploadAppLogo(operator, { id }, await drawPicture());
  const client = await portico.oauth.reads.findClient(id);
  assert.deepEqual([client?.name, client?.isLogoApproved], ['Found', true]);
});

test('an operator activates an application as the question showed it, and approves what waits in the list only', async () => {
  const browser = await developer();
  const id = await register(browser);
  const activate = `/operator/applications/${id}/activate`;
  const state = async () => (await portico.oauth.reads.findClient(id))?.deactivation ?? 'active';
  const sentToReview = await operator.open(activate);
  await decide('approve');
  await portico.oauth.writes.setClientStatus(byServer(portico.clock), id, 'deactivated');
  const seen = await operator.read(activate);
  const settings = `/developers/apps/${id}/settings`;
  await browser.submit(await browser.read(settings), settings, {
    redirect_uri: ['https://other.example/callback'],
    scope: ['openid', 'posts:read'],
  });

  const outdated = await operator.submit(seen, activate);
  const shown = await outdated.text();
  const after = await state();
  await operator.submit(shown, activate);

  assert.equal(sentToReview.headers.get('location'), WAITING);
  assert.match(seen, /https:\/\/list\.example\/callback/);
  assert.equal(outdated.status, 409);
  for (const text of ['https://other.example/callback', 'posts:read', `>developer${names}</a>`]) {
    assert.ok(shown.includes(text), text);
  }
  assert.equal(after, 'operators');
  assert.equal(await state(), 'active');
});
