// Credentials that were found in public: the page, and the address for programs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { currentSite } from '../../src/http/pages/visitor.ts';
import { letterOf } from '../../src/http/site/joining/letters.ts';
import { DAY, HOUR } from '../../src/lib/clock.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { mintToken } from '../../src/oauth/token.ts';
import { openApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { browserOf, notebook, PASSWORD_HASH } from '../support/people.ts';
import { addMember, addPersonalToken, addSignIn } from '../support/seeding.ts';

const PAGE = '/credentials/revoke';

const app = await openApp({ TRUST_PROXY: '127.0.0.1' });
const { portico } = app;
const { oauth, identity, community, audit } = portico;
after(() => app.close());
let members = 0;

async function newMember(isOperator = false) {
  members += 1;
  const username = `alice${members}`;
  const id = await addMember(portico, username, {
    passwordHash: PASSWORD_HASH,
    email: `${username}@x.example`,
  });
  if (isOperator) await identity.writes.setRole(byServer(portico.clock), id, 'operator');
  return { id, username };
}

let networks = 0;

function ownNetwork(): string {
  networks += 1;
  return `198.51.${networks}.7`;
}

/** Report as a program, from a network of its own. */
function report(body: unknown, from = ownNetwork()): Promise<Response> {
  return fetch(`${app.url}/api/credentials/revoke`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function isHonoured(token: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${app.url}/api/open/v1/`, { headers })).status === 200;
}

async function toldTo(id: number): Promise<string[]> {
  const notifications = await community.reads.notificationsOf(id, Number.MAX_SAFE_INTEGER, 10);
  return notifications.map(
    ({ about: { exposed } }) => `${exposed?.kind} ${exposed?.source} ${exposed?.name}`,
  );
}

async function mailedTo(userId: number): Promise<number> {
  const mails = await identity.reads.mailsDue(app.clock.now, 1000);
  return mails.filter((mail) => mail.userId === userId && mail.purpose === 'credential_exposed').length;
}

test('Whoever finds tokens has them revoked, and the answer is the same if they were never live', async () => {
  const alice = await newMember();
  const token = await addPersonalToken(portico, alice.id);
  const unknown = mintToken('personal', 'svc', app.clock.now).text;

  const live = await report({ credentials: [token.text] });
  const others = [
    await report({ credentials: [token.text] }),
    await report({ credentials: [unknown] }),
    await report(['hello', 'ghp_x']),
  ];

  const facts = async (answer: Response) => [answer.status, await answer.text()];
  const first = await facts(live);
  assert.deepEqual(first, [202, '{}']);
  for (const other of others) assert.deepEqual(await facts(other), first);
  assert.equal(await isHonoured(token.text), false);
  assert.deepEqual(await toldTo(alice.id), ['personal report laptop']);
  assert.equal(await mailedTo(alice.id), 1);
  const [event] = await audit.reads.securityEvents({ userId: alice.id, limit: 1 });
  assert.deepEqual(
    [event?.event, event?.detail, event?.subject, event?.address],
    ['token_leaked', 'personal report', String(token.id), undefined],
  );
});

test('An access token dies alone, and a refresh token ends its sign-in', async () => {
  const alice = await newMember();
  const client = await notebook(portico);
  const [first, second] = [
    await addSignIn(portico, client, alice.id),
    await addSignIn(portico, client, alice.id),
  ];

  await report([first.access]);
  await report([second.refresh]);

  assert.deepEqual([await isHonoured(first.access), await isHonoured(second.access)], [false, false]);
  assert.equal((await oauth.reads.findTokenFamily(first.refresh.slice(5, 27)))?.revokedAt, undefined);
  assert.notEqual((await oauth.reads.findTokenFamily(second.refresh.slice(5, 27)))?.revokedAt, undefined);
  assert.deepEqual(await toldTo(alice.id), ['refresh report Notebook', 'access report Notebook']);
});

test('The name of an application in the mail about its token is no link', async () => {
  const alice = await newMember();
  const client = await notebook(portico, { name: 'Agora: see https://1249763844/' });
  await report([(await addSignIn(portico, client, alice.id)).access]);
  const mails = await identity.reads.mailsDue(app.clock.now, 1000);
  const mail = mails.find(({ userId, purpose }) => userId === alice.id && purpose === 'credential_exposed');
  assert.ok(mail);

  for (const language of ['en', 'zh'] as const) {
    const site = await currentSite(portico.site);
    const { text } = letterOf(site, { kind: mail.purpose, ...mail, username: alice.username, language });
    assert.match(text, /“Agora: see https:\u2060\/\/1249763844\/”/);
  }
});

test('A member is told once of all their credentials in a report, and of each in the list of events', async () => {
  const [alice, bob] = [await newMember(), await newMember()];
  const tokens = [];
  for (const { id } of [alice, alice, alice, bob]) tokens.push((await addPersonalToken(portico, id)).text);

  await report([...tokens, ...tokens]);

  assert.deepEqual(await Promise.all(tokens.map(isHonoured)), [false, false, false, false]);
  for (const [{ id, username }, others] of [
    [alice, / We revoked it\. 2 more credentials of your account were found with it, and revoked too</],
    [bob, / We revoked it</],
  ] as const) {
    assert.deepEqual(await toldTo(id), ['personal report laptop']);
    assert.equal(await mailedTo(id), 1);
    assert.match(await (await browserOf(app, username)).read('/notifications'), others);
  }
  const events = await audit.reads.securityEvents({ userId: alice.id, limit: 10 });
  assert.equal(events.filter(({ event }) => event === 'token_leaked').length, 3);
});

test('A member is mailed five times an hour about exposed credentials, and told of the others on the site', async () => {
  const alice = await newMember();
  const reportOne = async () => report([(await addPersonalToken(portico, alice.id)).text]);
  for (let times = 0; times < 7; times += 1) await reportOne();
  const inAnHour = [await mailedTo(alice.id), (await toldTo(alice.id)).length];
  app.clock.advance(HOUR);

  await reportOne();

  assert.deepEqual(inAnHour, [5, 7]);
  assert.equal(await mailedTo(alice.id), 6);
});

test('Nobody can end a sign-in with an invented refresh token that has its key', async () => {
  const alice = await newMember();
  const { access, refresh } = await addSignIn(portico, await notebook(portico), alice.id);
  const forged = mintToken('refresh', 'svc', app.clock.now, refresh.slice(5, 27)).text;

  await report([forged]);

  assert.equal(await isHonoured(access), true);
});

test('The secret of an application goes on working; its owner and the operators are told, once a day', async () => {
  const [owner, operator, other] = [await newMember(), await newMember(true), await newMember()];
  const client = await notebook(portico, { ownerId: owner.id });
  const { access } = await addSignIn(portico, client, other.id);

  for (let times = 0; times < 3; times += 1) await report([client.secret]);
  app.clock.advance(DAY);
  await report([client.secret]);

  const digest = (await oauth.reads.findClient(client.id))?.secretDigest;
  assert.equal(digest, digestOf(client.secret));
  assert.deepEqual(await toldTo(owner.id), Array(2).fill('client_secret report Notebook'));
  assert.deepEqual(await toldTo(operator.id), Array(2).fill('client_secret report Notebook'));
  assert.deepEqual(await toldTo(other.id), []);
  assert.equal(await mailedTo(owner.id), 2);
  assert.ok(access);
});

test('Secrets of members’ applications are mailed five times an hour to operators and owner; the site tells of all', async () => {
  const [owner, operator] = [await newMember(), await newMember(true)];
  const [other, own] = [await newMember(), await newMember()];
  const addSecret = async (ownerId?: number) =>
    (await notebook(portico, ownerId === undefined ? {} : { ownerId })).secret;
  const secrets = [];
  for (let number = 0; number < 7; number += 1) secrets.push(await addSecret(owner.id));
  app.clock.advance(HOUR);

  await report(secrets);
  await report([await addSecret(other.id)]);
  await report([(await addPersonalToken(portico, own.id)).text]);
  // Those of members don't use up the mails about an application that nobody owns.
  await report([await addSecret()]);

  const mails = await Promise.all([operator, owner, other, own].map(({ id }) => mailedTo(id)));
  assert.deepEqual(mails, [6, 5, 1, 1]);
  assert.equal((await toldTo(operator.id)).length, 9);
  assert.equal((await toldTo(owner.id)).length, 7);
  app.clock.advance(HOUR);
  await report([await addSecret(other.id)]);
  assert.deepEqual([await mailedTo(operator.id), await mailedTo(other.id)], [7, 2]);
});

const MALFORMED = ['', 'x', '{}', '[]', '{"credentials":"x"}', '[1]', JSON.stringify(Array(1001).fill('x'))];

for (const body of MALFORMED) {
  test(`A body that is no list of 1 to 1,000 texts is refused: ${body.slice(0, 30)}`, async () => {
    const answer = await report(body);

    assert.equal(answer.status, 422);
    assert.match(await answer.text(), /Send JSON with 1 to 1000 credentials/);
  });
}

test('An address can send 30 reports an hour, of a thousand credentials each, the malformed ones counted too', async () => {
  const alice = await newMember();
  const token = await addPersonalToken(portico, alice.id);
  const many = [...Array(999).fill('x'), mintToken('personal', 'svc', app.clock.now).text];
  for (let times = 0; times < 29; times += 1) {
    assert.equal((await report(many, '203.0.113.1')).status, 202);
  }
  assert.equal((await report('[{}]', '203.0.113.1')).status, 422);

  const refused = await report([token.text], '203.0.113.1');

  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600']);
  assert.equal(await isHonoured(token.text), true);
  assert.equal((await report([token.text], '203.0.113.2')).status, 202);
});

test('The credentials of a report are read in parts, and reports of several networks one after another', async (t) => {
  let atOnce = 0;
  let most = 0;
  const read = oauth.reads.findPersonalToken;
  t.mock.method(oauth.reads, 'findPersonalToken', async (key: string) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    const token = await read(key);
    atOnce -= 1;
    return token;
  });
  const alice = await newMember();
  const token = await addPersonalToken(portico, alice.id);
  const invented = Array.from({ length: 99 }, () => mintToken('personal', 'svc', app.clock.now).text);

  const answers = await Promise.all([1, 2, 3, 4].map(() => report([...invented, token.text])));

  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202, 202],
  );
  assert.equal(most, 32);
  assert.equal(await isHonoured(token.text), false);
});

test('On the page a visitor without an account revokes tokens, and they are not shown again', async () => {
  const alice = await newMember();
  const token = await addPersonalToken(portico, alice.id);
  const stranger = new Browser(app.url);

  const form = await stranger.read(PAGE);
  const empty = await stranger.submit(form, PAGE, { credentials: ' ' });
  const answer = await stranger.submit(form, PAGE, { credentials: `found this:\n ${token.text}\n` });
  const page = await stranger.read(answer.headers.get('location') ?? '');

  assert.equal(empty.status, 400);
  assert.match(await empty.text(), /Paste 1 to 200 tokens/);
  assert.equal(answer.status, 303);
  assert.match(page, /Thank you\. If a token of this site was among them/);
  assert.doesNotMatch(page + answer.headers.get('location'), new RegExp(token.text));
  assert.equal(await isHonoured(token.text), false);
  const browser = await browserOf(app, alice.username);
  assert.match(
    await browser.read('/notifications'),
    /href="\/settings\/tokens">Your API token “laptop” was found by someone who reported it\. We revoked it/,
  );
});
