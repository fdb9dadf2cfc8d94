// Changing an API token: regenerating it, editing it, and revoking all.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { editPersonalToken } from '../../../src/oauth/personal-token-changes.ts';
import type { PersonalToken } from '../../../src/oauth/personal-token-store.ts';
import { openApp } from '../../support/app.ts';
import { browserOf, type Member, member, PASSWORD } from '../../support/people.ts';
import { untilTrue } from '../../support/program.ts';

const PATH = '/settings/tokens';
const app = await openApp();
const { oauth, audit } = app.portico;
after(() => app.close());
let members = 0;

interface Owner extends Member {
  /** The text of the token. */
  text: string;
  token: PersonalToken;
}

/** Add a member with a token that reads the profile from one address for 30 days. */
async function owner(fields: Record<string, string | string[]> = {}): Promise<Owner> {
  members += 1;
  const alice = await member(app, `alice${members}`);
  const page = await alice.browser.read(PATH);
  const answer = await alice.browser.submit(page, PATH, {
    name: 'backup',
    note: 'on the NAS',
    scope: 'profile:read',
    expires: '30',
    addresses: '127.0.0.1',
    ...fields,
  });
  const text = tokenIn(await answer.text());
  const [token] = await oauth.reads.personalTokensOf(alice.id);
  assert.ok(token);
  return { ...alice, text, token };
}

function tokenIn(page: string): string {
  return /svcp_[0-9A-Za-z]{60}/.exec(page)?.[0] ?? '';
}

async function statusOf(token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${app.url}/api/open/v1/`, { headers })).status;
}

async function eventsOf({ id: userId }: Member): Promise<string[]> {
  const events = await audit.reads.securityEvents({ userId, limit: 20 });
  return events.map(({ event, detail, subject }) => [event, detail, subject].join(' '));
}

async function regenerate({ browser, token }: Owner, fields: Record<string, string>): Promise<Response> {
  const path = `${PATH}/${token.id}/regenerate`;
  return browser.submit(await browser.read(path), path, fields);
}

for (const [overlap, hours] of [
  ['0', 0],
  ['1', 1],
  ['24', 24],
  ['1000', 0],
] as const) {
  test(`A regenerated token keeps its settings; the old one works for ${hours} hours more (${overlap})`, async () => {
    const alice = await owner();
    app.clock.advance(5 * MINUTE);

    const answer = await regenerate(alice, { overlap });

    const text = tokenIn(await answer.text());
    assert.equal(answer.status, 200);
    assert.notEqual(text, alice.text);
    assert.deepEqual([await statusOf(text), await statusOf(alice.text)], [200, hours === 0 ? 401 : 200]);
    const [fresh] = await oauth.reads.personalTokensOf(alice.id);
    const { name, note, scopes, addresses } = alice.token;
    assert.deepEqual(
      [fresh?.name, fresh?.note, fresh?.scopes, fresh?.addresses, fresh?.expiresAt],
      [name, note, scopes, addresses, app.clock.now + 30 * DAY],
    );
    if (hours === 0) return;
    app.clock.advance(hours * HOUR - 1);
    assert.equal(await statusOf(alice.text), 200);
    app.clock.advance(1);
    assert.deepEqual([await statusOf(text), await statusOf(alice.text)], [200, 401]);
  });
}

test('The page says when the new token expires, ten years from now at the latest', async () => {
  const alice = await owner({ addresses: '', expires: 'custom', days: '3650' });
  app.clock.advance(300 * DAY);
  const browser = await browserOf(app, alice.username);
  const [token] = await oauth.reads.personalTokensOf(alice.id);
  assert.ok(token);
  await editPersonalToken(byMember(alice, app.clock.read), oauth, token, { ...token, days: 3650 }, true);

  const path = `${PATH}/${token.id}/regenerate`;
  const page = await browser.read(path);
  await browser.submit(page, path, { overlap: '0', proof_password: PASSWORD });

  const [fresh] = await oauth.reads.personalTokensOf(alice.id);
  assert.notEqual(fresh?.id, token.id);
  assert.equal(fresh?.expiresAt, app.clock.now + 3650 * DAY);
  const year = new Date(app.clock.now + 3650 * DAY).getUTCFullYear();
  assert.match(page, new RegExp(`It expires on [^<]*${year}`));
});

test('A refused address is noted also where sign-in programs ask', async () => {
  const alice = await owner({ addresses: '192.0.2.1' });
  const headers = { Authorization: `Bearer ${alice.text}` };

  const answer = await fetch(`${app.url}/api/oauth/userinfo`, { headers });

  assert.equal(answer.status, 401);
  await untilTrue(async () =>
    (await eventsOf(alice)).includes(`access_denied token_address ${alice.token.id}`),
  );
});

test('The overlap doesn’t make a token valid for longer than it was', async () => {
  const alice = await owner({ expires: 'custom', days: '1' });
  app.clock.advance(DAY - HOUR);

  await regenerate(alice, { overlap: '24', proof_password: PASSWORD });

  assert.equal(await statusOf(alice.text), 200);
  app.clock.advance(HOUR);
  assert.equal(await statusOf(alice.text), 401);
});

test('Of eight regenerations at once, one makes a token, and the others change nothing', async () => {
  const alice = await owner();
  const path = `${PATH}/${alice.token.id}/regenerate`;
  const page = await alice.browser.read(path);

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => alice.browser.submit(page, path, { overlap: '1' })),
  );

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)]);
  assert.equal((await oauth.reads.personalTokensOf(alice.id)).length, 2);
  const list = await alice.browser.read(PATH);
  assert.match(list, /Replaced<\/span> <time[^>]*>in 1 hour/);
  assert.equal((await alice.browser.open(path)).status, 404);
});

test('Regenerating needs a proof, and leaves the events of both tokens', async () => {
  const alice = await owner();
  app.clock.advance(HOUR);

  const without = await (await regenerate(alice, { overlap: '24' })).text();
  const before = await oauth.reads.personalTokensOf(alice.id);
  const path = `${PATH}/${alice.token.id}/regenerate`;
  const right = await alice.browser.submit(without, path, { overlap: '0', proof_password: PASSWORD });

  assert.match(without, /Confirm your identity[\s\S]*name="overlap" value="24"/);
  assert.equal(before.length, 1);
  assert.equal(right.status, 200);
  const [fresh] = await oauth.reads.personalTokensOf(alice.id);
  assert.deepEqual((await eventsOf(alice)).slice(0, 2), [
    `api_token_revoked  ${alice.token.id}`,
    `api_token_created  ${fresh?.id}`,
  ]);
});

async function edit({ browser, token }: Owner, fields: Record<string, string | string[]>): Promise<Response> {
  const path = `${PATH}/${token.id}/edit`;
  return browser.submit(await browser.read(path), path, fields);
}

test('Name, note, fewer scopes and an earlier end are saved without a proof, at once', async () => {
  const alice = await owner({ scope: ['profile:read', 'posts:read'], addresses: '127.0.0.1 ::1' });
  app.clock.advance(HOUR);

  const answer = await edit(alice, {
    name: 'new name',
    note: 'new note',
    scope: 'posts:read',
    expires: '7',
    addresses: '127.0.0.1',
  });

  assert.equal(answer.status, 303);
  assert.match(await alice.browser.read(answer.headers.get('location') ?? ''), /Token saved/);
  const token = await oauth.reads.findPersonalToken(alice.token.key);
  assert.deepEqual(
    [token?.name, token?.note, token?.scopes, token?.addresses, token?.expiresAt],
    ['new name', 'new note', ['posts:read'], ['127.0.0.1'], app.clock.now + 7 * DAY],
  );
  assert.equal((await eventsOf(alice))[0], `api_token_changed narrowed ${alice.token.id}`);
  const headers = { Authorization: `Bearer ${alice.text}` };
  assert.equal((await fetch(`${app.url}/api/open/v1/me`, { headers })).status, 403);
});

const WIDER: [title: string, fields: Record<string, string | string[]>][] = [
  ['another scope', { scope: ['profile:read', 'posts:read'] }],
  ['a later end', { expires: '365' }],
  ['no end', { expires: 'none', no_expiry: 'yes' }],
  ['another address', { addresses: '127.0.0.1 192.0.2.7' }],
  ['a wider network', { addresses: '127.0.0.0/8' }],
  ['no limit on addresses', { addresses: '' }],
];

for (const [title, fields] of WIDER) {
  test(`What lets a token do more needs a proof: ${title}`, async () => {
    const alice = await owner();
    app.clock.advance(HOUR);

    const without = await edit(alice, { name: 'kept', ...fields });
    const page = await without.text();
    const unchanged = await oauth.reads.findPersonalToken(alice.token.key);
    const path = `${PATH}/${alice.token.id}/edit`;
    const right = await alice.browser.submit(page, path, { proof_password: PASSWORD });

    assert.match(page, /Confirm your identity[\s\S]*value="kept"/);
    assert.equal(unchanged?.name, 'backup');
    assert.equal(right.status, 303);
    assert.equal((await eventsOf(alice))[0], `api_token_changed widened ${alice.token.id}`);
  });
}

test('An edit that was opened before the token was narrowed does not widen it again', async () => {
  const alice = await owner({ scope: ['profile:read', 'posts:read'] });
  const before = await oauth.reads.findPersonalToken(alice.token.key);
  await edit(alice, { scope: 'posts:read' });
  assert.ok(before);

  const isChanged = await oauth.writes.changePersonalToken(
    { kind: 'member', userId: alice.id, at: app.clock.now },
    before,
    { ...before, name: 'renamed' },
    'renamed',
  );

  assert.equal(isChanged, false);
  assert.deepEqual((await oauth.reads.findPersonalToken(alice.token.key))?.scopes, ['posts:read']);
});

for (const [title, fields, field] of [
  ['no name', { name: ' ' }, 'name'],
  ['a long note', { note: 'x'.repeat(201) }, 'note'],
  ['no scope', { scope: [] }, 'scopes'],
  ['a wrong address', { addresses: 'home' }, 'addresses'],
  ['days that are no number', { expires: 'custom', days: 'x' }, 'days'],
  ['no end without a tick', { expires: 'none' }, 'no_expiry'],
] as const) {
  test(`An edit with ${title} saves nothing, names the problem, and keeps the other fields`, async () => {
    const alice = await owner();

    const answer = await edit(alice, { name: 'kept', ...fields } as Record<string, string>);

    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.ok(page.includes(`id="${field}-problem"`), page);
    if (field !== 'name') assert.match(page, /value="kept"/);
    assert.equal((await oauth.reads.findPersonalToken(alice.token.key))?.name, 'backup');
  });
}

test('Another member’s token can’t be edited or regenerated', async () => {
  const alice = await owner();
  const mallory = { ...alice, browser: (await owner()).browser };

  for (const act of ['edit', 'regenerate']) {
    assert.equal((await mallory.browser.open(`${PATH}/${alice.token.id}/${act}`)).status, 404);
  }
  const page = await mallory.browser.read(PATH);
  const path = `${PATH}/${alice.token.id}/regenerate`;
  const forged = page.replaceAll(`action="${PATH}"`, `action="${path}"`);
  assert.equal((await mallory.browser.submit(forged, path, {})).status, 404);
  assert.equal(await statusOf(alice.text), 200);
});

test('All tokens are revoked after a question that lists them, and each leaves an event', async () => {
  const alice = await owner();
  const page = await alice.browser.read(PATH);
  const second = await alice.browser.submit(page, PATH, { name: 'second', scope: 'posts:read' });
  const texts = [alice.text, tokenIn(await second.text())];
  const bob = await owner();
  const path = `${PATH}/revoke-all`;

  const question = await alice.browser.read(path);
  const before = await Promise.all(texts.map(statusOf));
  const answer = await alice.browser.submit(question, path);

  assert.match(question, /<li>second<\/li><li>backup<\/li>/);
  assert.deepEqual(before, [200, 200]);
  assert.equal(answer.status, 303);
  assert.deepEqual(await Promise.all(texts.map(statusOf)), [401, 401]);
  assert.equal(await statusOf(bob.text), 200);
  const list = await alice.browser.read(answer.headers.get('location') ?? '');
  assert.match(list, /All tokens revoked[\s\S]*You have no tokens/);
  const revoked = (await eventsOf(alice)).filter((event) => event.startsWith('api_token_revoked'));
  assert.equal(revoked.length, 2);
});
