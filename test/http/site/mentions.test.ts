// Mentions on the site: where they lead, the notification, and the members who are suggested.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { comment } from '../../../src/community/comment.ts';
import { renameUser } from '../../../src/identity/renaming.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, person, publish, setStatus } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
const { community, identity, clock } = portico;
after(() => app.close());

test('A mention leads to the member’s page, also after a rename, and nowhere after the account is closed', async () => {
  const [alice, bob] = [await person(portico, 'alice'), await member(app, 'bob')];
  const post = await publish(portico, bob, 'On bread', 'Thanks, @alice!');
  const page = await (await bob.browser.open(`/posts/${post}/on-bread`)).text();
  const [, path = ''] = /<a class="mention" href="([^"]+)">@alice<\/a>/.exec(page) ?? [];
  const visitor = new Browser(app.url);
  assert.equal((await visitor.open(path)).headers.get('location'), '/u/alice');

  const user = await identity.reads.findUser(alice.id);
  assert.ok(user !== undefined);
  await renameUser(byServer(clock), identity, user, { to: 'alicia', language: 'en' });
  assert.equal((await visitor.open(path)).headers.get('location'), '/u/alicia');

  await setStatus(identity, alice.id, 'closed');
  assert.equal((await visitor.open(path)).status, 404);
  assert.equal((await visitor.open('/members/999999')).status, 404);
});

for (const [language, inPost, inComment] of [
  ['en', 'bert mentioned you in “On rye”', 'bert mentioned you in a comment on “On rye”'],
  ['zh', 'bert 在《On rye》中提到了您', 'bert 在《On rye》下的评论中提到了您'],
] as const) {
  test(`A mention is a notification that links to the post or the comment: ${language}`, async () => {
    const anna = await member(app, `anna_${language}`, { language });
    const bert = (await identity.reads.findUserByName('bert')) ?? (await person(portico, 'bert'));
    const post = await publish(portico, bert, 'On rye', `With @anna_${language}`);
    const written = await comment(byMember(bert, clock), community, post, `And @anna_${language} again`);

    const page = await (await anna.browser.open('/notifications')).text();

    const id = written !== undefined && 'id' in written ? written.id : 0;
    assert.ok(page.includes(`<a class="what" href="/posts/${post}/on-rye">${inPost}</a>`));
    assert.ok(page.includes(`<a class="what" href="/comments/${id}">${inComment}</a>`));
  });
}

test('Members are suggested by the beginning of their names, at most six, and only active ones', async () => {
  const carl = await member(app, 'carl');
  for (let index = 0; index < 8; index += 1) await person(portico, `dora${index}`);
  const gone = await person(portico, 'dora');
  await setStatus(identity, gone.id, 'suspended');
  const suggested = async (query: string) => {
    const answer = await carl.browser.open(`/members/suggestions?q=${encodeURIComponent(query)}`);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const members = (await answer.json()) as { username: string; avatar: string }[];
    return members.map(({ username }) => username);
  };

  assert.deepEqual(await suggested('DORA'), ['dora0', 'dora1', 'dora2', 'dora3', 'dora4', 'dora5']);
  assert.deepEqual(await suggested('ora'), []);
  assert.deepEqual(await suggested(''), []);
  assert.deepEqual(await suggested('%'), []);
});

test('Visitors are not told of members, and a member only so often', async () => {
  const answer = await new Browser(app.url).open('/members/suggestions?q=a');
  assert.equal(answer.status, 303);

  const eve = await member(app, 'eve');
  const statuses = [];
  for (let index = 0; index < 121; index += 1) {
    statuses.push((await eve.browser.open('/members/suggestions?q=a')).status);
  }
  assert.deepEqual(statuses, [...Array(120).fill(200), 429]);
});
