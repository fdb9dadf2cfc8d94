// The home page for visitors without a cookie, which is made once for all of them until something on it changes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byOperator, byServer } from '../../../src/audit/doer.ts';
import { moveCategoryUp, renameCategory } from '../../../src/community/category.ts';
import { comment } from '../../../src/community/comment.ts';
import { likePost, unlikePost } from '../../../src/community/like.ts';
import { setPinned } from '../../../src/community/moderation.ts';
import { setAccountStatus } from '../../../src/identity/account-status.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { formTokenIn } from '../../support/browser.ts';
import { member, person, publish } from '../../support/people.ts';

const app = await openApp({ SITE_NAME: 'Lantern' });
after(() => app.close());
const { portico } = app;
const { community, site, clock } = portico;
const server = byServer(clock);
const bob = await person(portico, 'bob');
await publish(portico, await person(portico, 'carol'), 'On water');
const post = await publish(portico, bob, 'On bread', 'Some words.', 'rye');
app.clock.advance(HOUR);
const alice = await member(app, 'alice', { isOperator: true });

async function read(headers: Record<string, string> = {}, path = '/', method = 'GET'): Promise<string> {
  const response = await fetch(app.url + path, { method, headers: { accept: 'text/html', ...headers } });
  assert.deepEqual(response.headers.getSetCookie(), []);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return response.text();
}

// A page for a visitor with a cookie is always made anew. This one means nothing.
const COOKIE = { cookie: 'other=1' };

const settings = (values: Record<string, string>) => () => site.writes.saveSettings(server, values);
const text = (name: 'home' | 'announcement', en: string) => () =>
  site.writes.saveTexts(server, name, { en, zh: '' });
const like = () => likePost(byMember(alice, clock), community, post);

const changes: [change: string, make: () => unknown, words: RegExp][] = [
  ['a like', like, /1 like</],
  ['a like that is taken back', () => unlikePost(byMember(alice, clock), community, post), /^(?!.*1 like<)/s],
  ['a comment', () => comment(byMember(alice, clock), community, post, 'Yes.'), /1 comment</],
  ['a pin', () => setPinned(byOperator(alice, clock), community, { id: post }, true), /Pinned/],
  ['a post', () => publish(portico, bob, 'On salt'), /On salt/],
  ['a category', () => community.writes.ensureCategory(server, 'craft', 'Craft', 100), /craft/],
  ['a category that has another place', () => moveCategoryUp(server, community, 'craft'), /Craft.*General/s],
  ['a renamed category', () => renameCategory(server, community, 'craft', 'Crafts'), /Crafts/],
  ['the site’s name', settings({ name: 'Agora' }), /<h1>Agora/],
  ['the accent', settings({ accent: '#2f5d50' }), /\/accent\//],
  ['who may join', settings({ signUp: 'closed' }), /^(?!.*\/signup)/s],
  ['a welcome', text('home', 'Come in.'), /Come in\./],
  ['another welcome', text('home', 'Come on in.'), /Come on in\./],
  ['an announcement', text('announcement', 'Closed on Monday.'), /Closed on Monday/],
  ['another announcement', text('announcement', 'Closed on Friday.'), /Closed on Friday/],
  ['a hidden tag', () => hideTag('rye'), /^(?!.*#rye)/s],
  ['a minute', () => app.clock.advance(MINUTE), /1 minute ago/],
  ['a day', () => app.clock.advance(DAY), /yesterday/],
  ['a closed account', () => setAccountStatus(server, portico.identity, bob, 'closed'), /^(?!.*On salt)/s],
];

async function hideTag(name: string): Promise<void> {
  const token = formTokenIn(await alice.browser.read('/operator/tags'));
  const tag = await community.reads.findTag(name);
  const fields = { form_token: token, id: `${tag?.id}`, change: 'hide' };
  await alice.browser.post(`/operator/tags/${name}`, new URLSearchParams(fields));
}

for (const [change, make, words] of changes) {
  test(`the next visitor sees ${change}`, async () => {
    const before = await read();
    assert.equal(await read(), before);
    await make();
    const after = await read();

    assert.notEqual(after, before);
    assert.match(after, words);
    assert.equal(after, await read(COOKIE));
  });
}

test('a visitor in the other language, with choices of the browser, or at another address has a page of their own', async () => {
  const plain = await read();
  const others = {
    chinese: await read({ 'accept-language': 'zh' }),
    dark: await read({ cookie: 'portico_colours=dark' }),
    compact: await read({ cookie: 'portico_view=compact' }),
    keys: await read({ cookie: 'portico_keys=off' }),
    query: await read({}, '/?from=mail'),
  };

  assert.match(others.chinese, /<html lang="zh-Hans">/);
  assert.match(others.dark, /data-colours="dark"/);
  assert.match(others.compact, /紧凑|Full view/);
  assert.doesNotMatch(others.keys, /keys/);
  assert.match(others.query, /value="\/\?from=mail"/);
  assert.equal(await read(), plain);
});

test('a request for the headers alone, and a member’s visit, change nothing for the next visitor', async () => {
  const path = '/?from=mail';
  await read({}, path, 'HEAD');
  const first = await read({}, path);
  const own = await alice.browser.read(path);

  assert.match(first, /"\/login\?return_to=%2F%3Ffrom%3Dmail"/);
  assert.match(own, /form_token/);
  assert.doesNotMatch(first, /form_token/);
  assert.equal(await read({}, path), first);
});
