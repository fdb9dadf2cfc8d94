// Which changes of an approved application operators have to approve again.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byOperator } from '../../src/audit/doer.ts';
import { type ClientChange, changeClient } from '../../src/oauth/client-change.ts';
import { approveClient, markOf } from '../../src/oauth/client-review.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { registerOwnClient } from '../../src/oauth/own-client.ts';
import { openApp } from '../support/app.ts';
import { person } from '../support/people.ts';

const app = await openApp();
const { oauth, clock } = app.portico;
after(() => app.close());
const [olivia, bob] = [await person(app.portico, 'olivia'), await person(app.portico, 'bob')];
const by = byMember(bob, clock);

const REGISTRATION = {
  name: 'Notebook',
  kind: 'public',
  redirectUris: ['https://notebook.example/cb', 'https://notebook.example/old'],
  postLogoutRedirectUris: ['https://notebook.example/bye'],
  scopes: ['openid', 'profile:read'],
  introduction: {
    requiredScopes: ['openid'],
    scopeReasons: { openid: { en: 'To know you again.' }, 'profile:read': { en: 'To greet you.' } },
    homePage: 'https://notebook.example/',
    description: 'Notes.',
  },
} as const;

async function approvedClient(): Promise<Client> {
  const made = await registerOwnClient(by, oauth, { ...REGISTRATION, key: undefined, mustWait: true });
  assert.ok('client' in made);
  const seen = { clientId: made.client.id, mark: markOf(made.client) };
  assert.equal(await approveClient(byOperator(olivia, clock), oauth, seen), 'approved');
  return stored(made.client.id);
}

async function stored(id: string): Promise<Client> {
  const client = await oauth.reads.findClient(id);
  assert.ok(client);
  return client;
}

async function changed(change: ClientChange, needsApproval = true): Promise<Client> {
  const { id } = await approvedClient();
  await changeClient(by, oauth, id, change, { needsApproval });
  return stored(id);
}

const VISIBLE: Record<string, ClientChange> = {
  'another name': { name: 'Diary' },
  'another description': { description: 'A diary.' },
  'another home page': { homePage: 'https://notebook.example/start' },
  'another scope': { scopes: ['openid', 'profile:read', 'posts:read'] },
  'another reason': { scopeReasons: { 'profile:read': { en: 'Your bank needs it.' } } },
  'a reason in another language': { scopeReasons: { 'profile:read': { zh: '问候您' } } },
  'another required scope': { requiredScopes: ['openid', 'profile:read'] },
  'another callback host': { redirectUris: [...REGISTRATION.redirectUris, 'https://diary.example/cb'] },
  'another host after signing out': { postLogoutRedirectUris: ['https://diary.example/bye'] },
};

for (const [what, change] of Object.entries(VISIBLE)) {
  test(`an approved application waits for approval again with ${what}`, async () => {
    const { status, deactivation, approvedAt } = await changed(change);
    assert.deepEqual([status, deactivation, approvedAt], ['deactivated', 'approval', undefined]);
  });
}

const INVISIBLE: Record<string, ClientChange> = {
  'another path of a known host': { redirectUris: ['https://notebook.example/new'] },
  'another path of a known host after signing out': {
    postLogoutRedirectUris: ['https://notebook.example/goodbye'],
  },
  'fewer scopes': { scopes: ['openid'], scopeReasons: { 'profile:read': { en: '' } } },
  'a scope that is no longer required': { requiredScopes: [] },
  'a reason less': { scopeReasons: { openid: { en: '' } } },
};

for (const [what, change] of Object.entries(INVISIBLE)) {
  test(`an approved application stays approved with ${what}`, async () => {
    const { status, approvedAt } = await changed(change);
    assert.deepEqual([status, approvedAt], ['active', clock()]);
  });
}

test('an approved application waits again when an approved host for signing out becomes a callback', async () => {
  const { id } = await approvedClient();
  await changeClient(by, oauth, id, { postLogoutRedirectUris: ['https://diary.example/bye'] });
  const redirectUris = [...REGISTRATION.redirectUris, 'https://diary.example/cb'];

  await changeClient(by, oauth, id, { redirectUris }, { needsApproval: true });

  assert.equal((await stored(id)).deactivation, 'approval');
});

test('where no approval is needed, such a change ends an earlier approval, and the application goes on', async () => {
  const { status, approvedAt } = await changed({ name: 'Diary' }, false);
  assert.deepEqual([status, approvedAt], ['active', undefined]);
});

test('a change that was judged against earlier settings is not stored: an address that was taken away stays away', async () => {
  const good = ['https://notebook.example/cb'];
  const { id } = await approvedClient();
  await changeClient(by, oauth, id, { redirectUris: [...good, 'https://evil.example/cb'] });
  const seen = await stored(id);
  await changeClient(by, oauth, id, { redirectUris: good });
  const approved = await stored(id);

  const change = { redirectUris: [...good, 'https://evil.example/cb2'] };
  assert.equal(await changeClient(by, oauth, id, change, { needsApproval: true, seen }), false);
  assert.deepEqual(await stored(id), approved);

  await changeClient(by, oauth, id, change, { needsApproval: true, seen: approved });
  assert.equal((await stored(id)).deactivation, 'approval');
});

test('another owner has no approval', async () => {
  const { id } = await approvedClient();
  await oauth.writes.setOwner(byOperator(olivia, clock), id, olivia.id);
  assert.equal((await stored(id)).approvedAt, undefined);
});
