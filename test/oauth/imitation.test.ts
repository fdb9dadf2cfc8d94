import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { looksOfficial } from '../../src/identity/reserved-names.ts';
import { MINUTE } from '../../src/lib/clock.ts';
import { isOneLetterApart, mixesAlphabets, neighbourKeys } from '../../src/lib/look-alikes.ts';
import type { ClientRegistration } from '../../src/oauth/client.ts';
import { changeClient } from '../../src/oauth/client-change.ts';
import { renewLooks } from '../../src/oauth/client-looks.ts';
import { imitationsBy } from '../../src/oauth/imitation.ts';
import { type App, openApp } from '../support/app.ts';
import { notebook, person } from '../support/people.ts';
import { addSignIn } from '../support/seeding.ts';

async function signsOf(app: App, name: string, redirectUri: string, ownerId?: number) {
  const { oauth } = app.portico;
  const owner = ownerId === undefined ? {} : { ownerId };
  const { id } = await notebook(app.portico, { name, redirectUris: [redirectUri], ...owner });
  const client = await oauth.reads.findClient(id);
  assert.ok(client);
  while ((await renewLooks(oauth)) > 0);
  return imitationsBy(oauth, client, [redirectUri], (text) => looksOfficial(text, ['Lantern']));
}

test('A name or a host that looks like that of an application with more members is a sign', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const [alice, mallory] = [await person(app.portico, 'alice'), await person(app.portico, 'mallory')];
  const known = await notebook(app.portico, { ownerId: alice.id });
  const other = 'https://other.example.org/cb';
  const near = 'https://notebook.exampel.com/cb';

  // Nobody uses it yet, so it is not better known.
  assert.deepEqual(await signsOf(app, 'Note-Book', other, mallory.id), []);
  await addSignIn(app.portico, known, alice.id);

  assert.deepEqual(await signsOf(app, 'N0teb00k', other, mallory.id), [{ kind: 'name', of: 'Notebook' }]);
  const host = { kind: 'host', of: 'notebook.example.com' };
  assert.deepEqual(await signsOf(app, 'Diary', near, mallory.id), [host]);
  // The same owner may have several, and the very same host is no look-alike.
  assert.deepEqual(await signsOf(app, 'Notebook', near, alice.id), []);
  assert.deepEqual(await signsOf(app, 'Diary', 'https://notebook.example.com/x', mallory.id), []);
  // So is every host of an application, and the host of its home page.
  const { oauth } = app.portico;
  const redirectUris = ['https://notebook.example.com/cb', 'https://login.notebook.example/cb'];
  const homePage = 'https://paper.example.org/';
  await changeClient(byServer(oauth.clock), oauth, known.id, { name: 'Papyrus', redirectUris, homePage });
  const nearLogin = 'https://logim.notebook.example/cb';
  const second = { kind: 'host', of: 'login.notebook.example' };
  assert.deepEqual(await signsOf(app, 'Diary', nearLogin, mallory.id), [second]);
  const home = { kind: 'host', of: 'paper.example.org' };
  assert.deepEqual(await signsOf(app, 'Diary', 'https://papers.example.org/', mallory.id), [home]);
  // After a change only the new name counts.
  assert.deepEqual(await signsOf(app, 'N0teb00k', other, mallory.id), []);
  assert.deepEqual(await signsOf(app, 'Papyru5', other, mallory.id), [{ kind: 'name', of: 'Papyrus' }]);
  // An address on the member's device has no host to compare.
  assert.deepEqual(await signsOf(app, 'Diary', 'http://localhost:8400/cb', mallory.id), []);
});

test('An approved application is not suspected of imitating a younger one, whatever its members', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { portico } = app;
  const { oauth, clock } = portico;
  const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
  const mallory = await person(portico, 'mallory');
  const add = async (more: Partial<ClientRegistration>) => {
    app.clock.advance(MINUTE);
    return notebook(portico, more);
  };
  const older = await add({ name: 'N0teb00k', redirectUris: ['https://n.example/cb'], ownerId: mallory.id });
  const genuine = await add({ ownerId: bob.id });
  const clone = await add({ redirectUris: ['https://notebook.exampel.com/cb'], ownerId: mallory.id });
  await addSignIn(portico, clone, alice.id);
  while ((await renewLooks(oauth)) > 0);
  const find = async (id: string) => {
    const client = await oauth.reads.findClient(id);
    assert.ok(client);
    return client;
  };
  const signs = async (id: string) => {
    const client = await find(id);
    return (await imitationsBy(oauth, client, client.redirectUris, () => false)).map(({ kind }) => kind);
  };
  const approve = async (id: string) => {
    const operator = { kind: 'operator', userId: alice.id, at: clock() } as const;
    assert.equal(await oauth.writes.approveClient(operator, await find(id)), true);
  };
  // Nobody approved it, and who was first proves nothing: anyone can register names in advance.
  assert.deepEqual(await signs(genuine.id), ['name', 'host']);

  await approve(genuine.id);
  assert.deepEqual(await signs(genuine.id), []);
  await addSignIn(portico, older, alice.id);
  assert.deepEqual(await signs(genuine.id), ['name']);
  // The operators' own needs no approval.
  const own = await add({ name: 'Papyrus', redirectUris: ['https://papyrus.example/cb'] });
  const copy = await add({ name: 'Papyru5', redirectUris: ['https://p.example/cb'], ownerId: mallory.id });
  await addSignIn(portico, copy, alice.id);
  while ((await renewLooks(oauth)) > 0);
  assert.deepEqual(await signs(own.id), []);
  // A younger approved application is still compared with an older one.
  await approve(clone.id);
  await addSignIn(portico, genuine, alice.id);
  await addSignIn(portico, genuine, bob.id);
  assert.deepEqual(await signs(clone.id), ['name', 'host']);
});

test('A name that looks official is a sign, except for an application of the operators', async (t) => {
  const app = await openApp();
  t.after(() => app.close());
  const { id } = await person(app.portico, 'mallory');
  const other = 'https://other.example.org/cb';

  assert.deepEqual(await signsOf(app, 'Lantern Support', other, id), [{ kind: 'official_name' }]);
  assert.deepEqual(await signsOf(app, 'Lantern Support', other), []);
});

test('Names look official if they are the community’s, also with official words around it', () => {
  const names = ['Lantern'];
  for (const name of ['Lantern', 'L4ntern', 'Official Lantern', 'Lantern: Support', 'Support Team']) {
    assert.equal(looksOfficial(name, names), true, name);
  }
  for (const name of ['Notebook', 'Notebook for Lantern', '', '🏮', 'Help me write']) {
    assert.equal(looksOfficial(name, names), false, name);
  }
});

test('Hosts are one letter apart if a letter was changed, added, left out or swapped', () => {
  for (const other of ['exemple.com', 'examples.com', 'exmple.com', 'examlpe.com']) {
    assert.equal(isOneLetterApart('example.com', other), true, other);
    assert.equal(isOneLetterApart(other, 'example.com'), true, other);
  }
  for (const other of ['example.com', 'exomplo.com', 'exam.com', 'elpmaxe.com']) {
    assert.equal(isOneLetterApart('example.com', other), false, other);
  }
});

test('Hosts that are one letter apart have a key in common', () => {
  const keys = new Set(neighbourKeys('example.com'));
  for (const other of ['exemple.com', 'examples.com', 'exmple.com', 'examlpe.com', 'example.com']) {
    assert.ok(
      neighbourKeys(other).some((key) => keys.has(key)),
      other,
    );
  }
  assert.ok(!neighbourKeys('exomplo.com').some((key) => keys.has(key)));
});

test('Latin letters beside Cyrillic or Greek ones are a mixture, beside Chinese ones they are not', () => {
  assert.deepEqual(['nоtes', 'αlpha', 'notes', 'ноты', 'Note 笔记'].map(mixesAlphabets), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
