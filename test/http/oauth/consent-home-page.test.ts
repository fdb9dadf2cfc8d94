// The home page of an application on the consent page: anyone can name the home page of someone else.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { browserOf, member, notebook, person } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
after(() => app.close());
const olivia = await member(app, 'olivia', { isOperator: true });
const [mallory] = [await person(app.portico, 'mallory'), await person(app.portico, 'alice')];
const alice = await browserOf(app, 'alice');

const HOME = 'https://bank.example/';
const UNCHECKED = /says that its home page is bank\.example \(not checked\)/;
const LINK = '<a href="https://bank.example/" target="_blank" rel="nofollow noopener">bank.example</a>';

async function register(ownerId: number | undefined, redirectUri: string) {
  const owner = ownerId === undefined ? {} : { ownerId };
  const introduction = { homePage: HOME };
  return notebook(app.portico, { ...owner, introduction, redirectUris: [redirectUri] });
}

function consentTo(client: Parameters<typeof authorizationRequest>[0]): Promise<string> {
  return alice.read(`/oauth/authorize?${authorizationRequest(client)}`);
}

test('The home page of an application is not checked, until operators approve it', async () => {
  const client = await register(mallory.id, 'https://mallory.example/cb');

  const page = await consentTo(client);

  assert.match(page, UNCHECKED);
  assert.ok(!page.includes('href="https://bank.example'));
  const { oauth, clock } = app.portico;
  const stored = await oauth.reads.findClient(client.id);
  assert.ok(stored);
  await oauth.writes.approveClient({ kind: 'operator', userId: olivia.id, at: clock() }, stored);
  assert.ok((await consentTo(client)).includes(LINK));
});

test('A home page at the callback’s host, or of the operators’ own application, is a link', async () => {
  assert.ok((await consentTo(await register(mallory.id, 'https://bank.example/cb'))).includes(LINK));
  assert.ok((await consentTo(await register(undefined, 'https://mallory.example/cb'))).includes(LINK));
});
