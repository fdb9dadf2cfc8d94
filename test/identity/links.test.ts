// Members' links: what is a link, how it is shown, and how often they can be changed.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byMember } from '../../src/audit/doer.ts';
import { readLink, setLinks, textOfLink } from '../../src/identity/links.ts';
import { openApp } from '../support/app.ts';
import { person, setStatus } from '../support/people.ts';
import { addPersonalToken } from '../support/seeding.ts';

const app = await openApp();
after(() => app.close());
const { identity, clock } = app.portico;

describe('A link is', () => {
  for (const [typed, link] of [
    ['https://alice.example/', 'https://alice.example/'],
    ['alice.example', 'https://alice.example/'],
    ['https://Social.Example/@alice?tab=1#top', 'https://social.example/@alice?tab=1#top'],
    ['https://例子.example/关于', 'https://xn--fsqu00a.example/%E5%85%B3%E4%BA%8E'],
  ] as const) {
    test(`an https address of a host with a name: ${typed}`, () => assert.equal(readLink(typed), link));
  }

  for (const typed of [
    'http://alice.example/',
    'javascript:alert(1)',
    'javascript://alice.example/%0aalert(1)',
    'data:text/html,x',
    'ftp://alice.example/',
    'https://alice:secret@alice.example/',
    'https://bank.example@alice.example/',
    'mailto:alice@alice.example',
    'https://localhost/',
    'https://192.0.2.7/',
    'https://0x7f000001/',
    'https://[2001:db8::1]/',
    'https://alice.example\\@bank.example/',
    'https://alice.example/ x',
    'https://alice.example/\u202Etxt',
    '/settings',
    'alice',
    `https://alice.example/${'a'.repeat(200)}`,
    `https://alice.example/${'面'.repeat(60)}`,
  ]) {
    test(`not ${typed.slice(0, 60)}`, () => assert.equal(readLink(typed), undefined));
  }
});

test('A host in other letters is shown as programs write it, and in its letters beside it', () => {
  assert.deepEqual(textOfLink('https://xn--80ak6aa92e.com/'), {
    text: 'xn--80ak6aa92e.com',
    inLetters: 'аррӏе.com',
  });
  assert.deepEqual(textOfLink('https://social.example/@alice'), {
    text: 'social.example/@alice',
    inLetters: undefined,
  });
  const { text } = textOfLink(`https://alice.example/${'a'.repeat(100)}`);
  assert.deepEqual([text.length, text.at(-1)], [60, '…']);
});

test('A member has at most four links, each once, and none of them if one is wrong', async () => {
  const alice = await person(app.portico, 'alice');
  const by = byMember(alice, clock);
  const save = (...links: string[]) => setLinks(by, identity, links);

  assert.equal(
    await save(' b.example ', '', 'https://a.example/', 'b.example', 'c.example', 'd.example'),
    undefined,
  );
  assert.deepEqual(await identity.reads.linksOf(alice.id), ['https://b.example/', 'https://a.example/']);
  assert.deepEqual(await save('c.example', 'http://d.example', 'x'), { wrong: [1, 2] });
  assert.equal((await identity.reads.linksOf(alice.id)).length, 2);
  assert.equal(await save('', '', '', ''), undefined);
  assert.deepEqual(await identity.reads.linksOf(alice.id), []);
});

test('A credential of this site in a link is revoked, and not shown', async () => {
  const bob = await person(app.portico, 'bob');
  const { text } = await addPersonalToken(app.portico, bob.id);

  await setLinks(byMember(bob, clock), identity, [`https://bob.example/?token=${text}`]);

  assert.ok(!(await identity.reads.linksOf(bob.id)).join().includes(text));
});

test('Links are changed at most 20 times an hour, and not by a suspended member', async () => {
  const mallory = await person(app.portico, 'mallory');
  const by = byMember(mallory, clock);
  for (let n = 0; n < 20; n += 1) assert.equal(await setLinks(by, identity, [`m${n}.example`]), undefined);

  const refused = await setLinks(by, identity, ['last.example']);

  assert.ok(refused !== undefined && 'retryAfterSeconds' in refused);
  const eve = await person(app.portico, 'eve');
  await setStatus(identity, eve.id, 'suspended');
  await setLinks(byMember(eve, clock), identity, ['eve.example']);
  assert.deepEqual(await identity.reads.linksOf(eve.id), []);
});
