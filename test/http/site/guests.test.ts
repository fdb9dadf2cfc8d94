// Keeping bad guests out: reserved names, blocked mail domains and networks, and sign-ups per hour.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { setEmail } from '../../../src/identity/email-by-operator.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, PASSWORD, person } from '../../support/people.ts';

// The tests come from 127.0.0.1, so a request can name another address.
const app = await openApp({ SITE_NAME: 'Agora Club', TRUST_PROXY: '127.0.0.1' });
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const PATH = '/operator/guests';

async function save(changes: Record<string, string>): Promise<Response> {
  return olivia.browser.submit(await olivia.browser.read(PATH), PATH, changes);
}

function visitorAt(address: string): Browser {
  const browser = new Browser(app.url);
  const open = browser.open.bind(browser);
  browser.open = (path, init = {}) => open(path, { ...init, headers: { 'X-Forwarded-For': address } });
  browser.post = (path, body) => browser.open(path, { method: 'POST', body });
  return browser;
}

async function join(username: string, address = '198.51.100.1', email = ''): Promise<Response> {
  const visitor = visitorAt(address);
  return visitor.submit(await visitor.read('/signup'), '/signup', { username, password: PASSWORD, email });
}

test('A visitor can’t join as “adm1n”, as the site, or as a name that the operators added', async () => {
  const taken = await (await join('M0thership')).status;
  await save({ reservedNames: ' Harbour \n\nmother-ship' });

  for (const username of ['adm1n', 'Agora-Club', 'mоthеrshір', 'H4rb0ur', 'mothersh1p']) {
    const answer = await join(username);

    const page = await answer.text();
    assert.equal(answer.status, 400, username);
    assert.match(page, /This username (?:is reserved|mixes letters)/, username);
    assert.ok(page.includes(`value="${username}"`), username);
  }
  // Those who have the name keep it.
  assert.equal(taken, 303);
  assert.equal((await new Browser(app.url).signIn('M0thership', PASSWORD)).status, 303);
});

test('An address of a blocked mail domain is refused at sign-up and in the settings, with the reason', async () => {
  assert.equal((await save({ blockedMailDomains: 'Throwaway.example\nbücher.example' })).status, 303);
  assert.match(await olivia.browser.read(PATH), />\n?throwaway\.example\nxn--bcher-kva\.example</);

  for (const email of ['eve@throwaway.example', 'eve@Mail.THROWAWAY.example', 'eve@bücher.example']) {
    const answer = await join('eve', '198.51.100.1', email);

    assert.equal(answer.status, 400, email);
    assert.match(await answer.text(), /doesn’t accept addresses of this mail provider/, email);
  }
  assert.equal((await join('eve', '198.51.100.1', 'eve@notthrowaway.example')).status, 303);
  const alice = await member(app, 'alice');
  const page = await alice.browser.read('/settings/security');
  const action = '/settings/security/email';
  const change = { email: 'alice@throwaway.example', email_password: PASSWORD, do: 'change' };
  const refused = await alice.browser.submit(page, action, change);
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /doesn’t accept addresses of this mail provider/);
});

test('An operator can’t set an address of a blocked mail domain; the command line can', async () => {
  const frank = await person(app.portico, 'frank');
  const path = `/operator/members/${frank.id}`;
  const email = 'frank@throwaway.example';

  const page = await olivia.browser.read(path);
  const answer = await olivia.browser.submit(page, `${path}/email`, { email, do: 'set' });

  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /This mail domain is blocked under “Newcomers”/);
  const { identity, clock } = app.portico;
  const user = await identity.reads.findUser(frank.id);
  assert.ok(user);
  assert.equal(await setEmail(byCommandLine(clock), identity, user, { email, language: 'en' }), undefined);
});

test('The lists are read from the settings once, until a setting changes', async () => {
  const { guestRules } = app.portico.identity;
  const before = await guestRules();
  const again = await guestRules();

  await save({ blockedNetworks: '100.64.0.0/24' });

  assert.equal(again, before);
  assert.deepEqual((await guestRules()).blockedNetworks, ['100.64.0.0/24']);
});

test('A blocked network can neither join nor sign in, and is told so; who is signed in stays so', async () => {
  await person(app.portico, 'bob');
  const inside = visitorAt('203.0.113.9');
  await inside.signIn('bob', PASSWORD);
  await save({ blockedNetworks: '203.0.113.0/24\n2001:db8::7' });

  for (const address of ['203.0.113.9', '2001:db8::1']) {
    const joining = await join('mallory', address);
    const signingIn = await visitorAt(address).signIn('bob', PASSWORD);

    assert.deepEqual([joining.status, signingIn.status], [403, 403], address);
    assert.match(await joining.text(), /You can’t join from this network/);
    assert.match(await signingIn.text(), /don’t accept sign-ins from your network/);
  }
  assert.equal((await inside.open('/settings/profile')).status, 200);
  assert.equal((await visitorAt('203.0.114.1').signIn('bob', PASSWORD)).status, 303);
  assert.equal((await join('mallory', '2001:db8:0:1::1')).status, 303);
});

test('An operator can’t block the own network, and loses none of the other changes', async () => {
  const answer = await save({ blockedNetworks: '203.0.113.0/24\n127.0.0.0/8', signUpsPerHour: '7' });

  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /You are in 127\.0\.0\.0\/8 yourself/);
  assert.match(page, /127\.0\.0\.0\/8<\/textarea>/);
  assert.match(page, /name="signUpsPerHour" value="7"/);
});

test('A line that is no domain or network is named, and nothing is saved', async () => {
  const answer = await save({
    blockedMailDomains: 'good.example\nnot a domain',
    blockedNetworks: '10.0.0.0/33',
    signUpsPerHour: '0',
    textsToApprove: '101',
  });

  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /“not a domain” is not a domain/);
  assert.match(page, /“10\.0\.0\.0\/33” is not an address or a range/);
  assert.match(page, /“0” is not a number from 1 to 10,000/);
  assert.match(page, /“101” is not a number from 1 to 100/);
  assert.doesNotMatch(await olivia.browser.read(PATH), /good\.example/);
});

test('On a launch evening the sixth person of one network can join, because an operator raised the bound', async () => {
  const launch = '192.0.2.77';
  for (let count = 0; count < 5; count += 1) assert.equal((await join(`early${count}`, launch)).status, 303);
  assert.equal((await join('sixth', launch)).status, 429);

  await save({ signUpsPerHour: '1000' });

  assert.equal((await join('sixth', launch)).status, 303);
});

test('A member can’t be renamed to a reserved name on the pages', async () => {
  const dave = await person(app.portico, 'dave');
  const path = `/operator/members/${dave.id}`;

  const page = await olivia.browser.read(path);
  const answer = await olivia.browser.submit(page, `${path}/username`, { username: 'Moderat0r' });

  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /This username is reserved/);
  assert.equal((await app.portico.identity.reads.findUser(dave.id))?.username, 'dave');
});

test('Only operators see the page', async () => {
  const carol = await member(app, 'carol');

  assert.equal((await carol.browser.open(PATH)).status, 404);
  assert.equal((await carol.browser.open('/operator/waiting')).status, 404);
});
