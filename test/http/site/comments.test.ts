// Comments on a post: writing, replying, editing and removing, without scripts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { comment, reply } from '../../../src/community/comment.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { browserOf, PASSWORD, type Person, person, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const [alice, bob, carol] = [
  await person(portico, 'alice'),
  await person(portico, 'bob'),
  await person(portico, 'carol'),
];
const asAlice = await browserOf(app, 'alice');
const asBob = await browserOf(app, 'bob');

/** Return a page's text, after any redirects. */
async function read(browser: Browser, path: string): Promise<string> {
  let answer = await browser.open(path);
  for (let location = answer.headers.get('location'); location !== null; ) {
    answer = await browser.open(location);
    location = answer.headers.get('location');
  }
  assert.equal(answer.status, 200);
  return answer.text();
}

async function write(browser: Browser, postId: number, body: string): Promise<Response> {
  const page = await read(browser, `/posts/${postId}`);
  return browser.submit(page, `/posts/${postId}/comments`, { body });
}

/** Add a comment, without the form. Returns its id. */
async function addComment(author: Person, postId: number, body: string): Promise<number> {
  const done = await comment(byMember(author, app.clock.read), portico.community, postId, body);
  assert.ok(done !== undefined && 'id' in done);
  return done.id;
}

async function addReply(author: Person, commentId: number, body: string): Promise<number> {
  const done = await reply(byMember(author, app.clock.read), portico.community, commentId, body);
  assert.ok(done !== undefined && 'id' in done);
  return done.id;
}

test('A comment appears below the post, as Markdown, and its address leads to it', async () => {
  const postId = await publish(portico, bob, 'On paste');

  const answer = await write(asAlice, postId, 'Flour and **water**.\r\n\r\n<script>alert(1)</script>');
  const location = answer.headers.get('location') ?? '';
  const place = (await asAlice.open(location)).headers.get('location') ?? '';
  const page = await read(new Browser(app.url), `/posts/${postId}`);

  assert.equal(answer.status, 303);
  assert.match(place, new RegExp(`^/posts/${postId}/on-paste\\?comments=\\d+#comment-\\d+$`));
  assert.match(page, /1 comment<\/h2>/);
  assert.match(page, /Flour and <strong>water<\/strong>\./);
  assert.ok(!page.includes('<script>alert'));
});

test('A mistake is shown, and the text is kept', async () => {
  const postId = await publish(portico, bob, 'Too long');
  const body = `a & b ${'x'.repeat(5_000)}`;

  const long = await write(asAlice, postId, body);
  const empty = await write(asAlice, postId, ' \r\n ');

  const text = await long.text();
  assert.equal(long.status, 400);
  assert.match(text, /id="body-problem">A comment can have at most 5,000 characters/);
  assert.ok(text.includes(body.replace('&', '&amp;')));
  assert.equal(empty.status, 400);
  assert.match(await empty.text(), /Write a comment first/);
  assert.equal((await portico.community.reads.findPost(postId))?.commentCount, 0);
  assert.equal((await write(asAlice, postId, '\u{1F9F5}'.repeat(5_000))).status, 303);
});

test('A visitor is asked to sign in, and comes back to the post', async () => {
  const postId = await publish(portico, bob, 'For all');

  const page = await read(new Browser(app.url), `/posts/${postId}`);

  const path = encodeURIComponent(`/posts/${postId}/for-all#write-comment`);
  assert.ok(page.includes(`href="/login?return_to=${path}">Sign in to comment`));
  assert.ok(!page.includes('<textarea'));
  const signIn = await new Browser(app.url).signIn('alice', PASSWORD, decodeURIComponent(path));
  assert.equal(signIn.headers.get('location'), decodeURIComponent(path));
});

test('The text of a comment or report that was sent after the session ended is shown, so that it can be copied', async () => {
  const postId = await publish(portico, bob, 'Over');
  const browser = await browserOf(app, 'carol');
  const page = await read(browser, `/posts/${postId}`);
  const reporting = await read(browser, `/report?post=${postId}`);
  await browser.submit(page, '/logout');

  const answers = [
    await browser.submit(page, `/posts/${postId}/comments`, { body: 'Took me an hour.' }),
    await browser.submit(reporting, '/report', { reason: 'other', note: 'Took me an hour.' }),
  ];

  for (const answer of answers) {
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /<pre[^>]*>Took me an hour\.<\/pre>/);
  }
});

test('A reply to a reply appears below the same comment', async () => {
  const postId = await publish(portico, bob, 'On order');
  const top = await addComment(alice, postId, 'First.');
  await addComment(alice, postId, 'Last.');

  const first = await asBob.submit(await read(asBob, `/comments/${top}/reply`), `/comments/${top}/reply`, {
    body: 'Second.',
  });
  const id = /\d+$/.exec(first.headers.get('location') ?? '')?.[0];
  const form = await read(asAlice, `/comments/${id}/reply`);
  await asAlice.submit(form, `/comments/${id}/reply`, { body: 'Third.' });

  assert.match(form, /Replying to bob[\s\S]*Second\./);
  const page = await read(asAlice, `/posts/${postId}`);
  assert.match(page, /First\.[\s\S]*<ol class="plain">[\s\S]*Second\.[\s\S]*Third\.[\s\S]*Last\./);
  assert.equal(page.match(/<ol class="plain">/g)?.length, 1);
});

test('Only its author can edit a comment, which then says that it was edited', async () => {
  const postId = await publish(portico, bob, 'On change');
  const id = await addComment(alice, postId, 'Once.');
  app.clock.advance(MINUTE);

  const form = await read(asAlice, `/comments/${id}/edit`);
  const before = await read(asAlice, `/posts/${postId}`);
  const wrong = await asAlice.submit(form, `/comments/${id}/edit`, { body: '' });
  const answer = await asAlice.submit(form, `/comments/${id}/edit`, { body: 'Twice.' });
  const after = await read(asAlice, `/posts/${postId}`);

  assert.match(form, />\nOnce\.<\/textarea>/);
  assert.equal(wrong.status, 400);
  assert.equal(answer.headers.get('location'), `/comments/${id}`);
  assert.ok(!/edited/.test(before));
  assert.match(after, /edited <time[\s\S]*Twice\./);
  assert.ok(!after.includes('Once.'));
  for (const verb of ['edit', 'remove']) {
    const path = `/comments/${id}/${verb}`;
    assert.equal((await asBob.open(path)).status, 404);
    const ownForm = await read(asBob, '/settings/profile');
    const fields = {
      form_token: formTokenIn(ownForm),
      body: 'Mine.',
    };
    assert.equal((await asBob.post(path, new URLSearchParams(fields))).status, 404);
  }
  assert.match(await read(asBob, `/posts/${postId}`), /Twice\./);
});

test('A comment is removed after a confirmation: completely, or with a note above its replies', async () => {
  const postId = await publish(portico, bob, 'On loss');
  const plain = await addComment(alice, postId, 'Forget me.');
  const top = await addComment(alice, postId, 'Forget me too.');
  await addReply(bob, top, 'I will not.');

  for (const id of [plain, top]) {
    const question = await read(asAlice, `/comments/${id}/remove`);
    assert.match(question, /Remove this comment\?[\s\S]*Forget me/);
    assert.equal((await asAlice.submit(question, `/comments/${id}/remove`)).status, 303);
  }

  const page = await read(new Browser(app.url), `/posts/${postId}`);
  assert.ok(!page.includes('Forget me'));
  assert.match(page, /This comment was removed\.[\s\S]*I will not\./);
  assert.equal(page.match(/This comment was removed/g)?.length, 1);
  assert.match(page, /1 comment<\/h2>/);
  assert.equal((await asAlice.open(`/comments/${plain}`)).status, 404);
  assert.equal((await asAlice.open(`/comments/${top}/reply`)).status, 404);
});

test('A draft or a removed post can’t be commented on, and its comments are not found', async () => {
  const postId = await publish(portico, bob, 'Not for long');
  const id = await addComment(carol, postId, 'Nice.');
  const page = await read(asAlice, `/posts/${postId}`);
  await portico.community.writes.removePost(byMember(bob, app.clock.read), postId, 10);

  const answer = await asAlice.submit(page, `/posts/${postId}/comments`, { body: 'Too late.' });

  assert.equal(answer.status, 404);
  for (const path of ['', '/reply', '/replies', '/edit']) {
    assert.equal((await asAlice.open(`/comments/${id}${path}`)).status, 404, path);
  }
});

test('After 30 comments in an hour the page says when the member can go on, and the text is kept', async () => {
  app.clock.advance(HOUR);
  const postId = await publish(portico, bob, 'On speed');
  for (let index = 0; index < 30; index += 1) await addComment(carol, postId, `${index}`);
  const asCarol = await browserOf(app, 'carol');
  app.clock.advance(15 * MINUTE);

  const answer = await write(asCarol, postId, 'One more.');

  const text = await answer.text();
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), `${45 * 60}`);
  assert.match(text, /Try again in 45 minutes\./);
  assert.match(text, />\nOne more\.<\/textarea>/);
  assert.equal((await write(asAlice, postId, 'Not concerned.')).status, 303);
  app.clock.advance(45 * MINUTE);
  assert.equal((await write(asCarol, postId, 'One more.')).status, 303);
});

test('Comments are shown in pages of 50, and each comment’s address leads to its page', async () => {
  app.clock.advance(HOUR);
  const postId = await publish(portico, bob, 'On many');
  const ids = [];
  for (let index = 0; index < 120; index += 1) {
    if (index % 25 === 0) app.clock.advance(HOUR);
    ids.push(await addComment(alice, postId, `Note ${index}.`));
  }
  const visitor = new Browser(app.url);
  const notes = (page: string) => [...page.matchAll(/Note (\d+)\./g)].map(([, number]) => Number(number));
  const link = (page: string, rel: string) => new RegExp(`rel="${rel}" href="([^"#]+)`).exec(page)?.[1] ?? '';
  const count = (from: number, length: number) => Array.from({ length }, (_, index) => from + index);

  const first = await read(visitor, `/posts/${postId}`);
  const second = await read(visitor, link(first, 'next'));
  const third = await read(visitor, link(second, 'next'));

  assert.deepEqual([first, second, third].map(notes), [count(0, 50), count(50, 50), count(100, 20)]);
  assert.equal(link(third, 'next'), '');
  assert.deepEqual(notes(await read(visitor, link(third, 'prev'))), count(50, 50));
  assert.deepEqual(notes(await read(visitor, link(second, 'prev'))), count(0, 50));
  assert.equal(link(first, 'prev'), '');
  assert.deepEqual(notes(await read(visitor, `/comments/${ids[110]}`)), count(110, 10));
});

test('The first 20 replies are shown below a comment, and all of them on a page of their own', async () => {
  app.clock.advance(HOUR);
  const postId = await publish(portico, bob, 'On echoes');
  const top = await addComment(alice, postId, 'Hello?');
  const ids = [];
  for (let index = 0; index < 60; index += 1) {
    if (index % 25 === 0) app.clock.advance(HOUR);
    ids.push(await addReply(alice, top, `Echo ${index}.`));
  }
  const visitor = new Browser(app.url);
  const echoes = (page: string) => page.match(/Echo \d+\./g)?.length;

  const page = await read(visitor, `/posts/${postId}`);
  const replies = await read(visitor, `/comments/${top}/replies`);
  const early = (await visitor.open(`/comments/${ids[19]}`)).headers.get('location') ?? '';
  const late = (await visitor.open(`/comments/${ids[20]}`)).headers.get('location') ?? '';

  assert.equal(echoes(page), 20);
  assert.match(page, new RegExp(`href="/comments/${top}/replies">Show all replies`));
  assert.equal(echoes(replies), 50);
  assert.match(replies, /Hello\?[\s\S]*rel="next"/);
  assert.match(early, new RegExp(`^/posts/${postId}/on-echoes\\?comments=${top}#comment-${ids[19]}$`));
  assert.equal(late, `/comments/${top}/replies?from=${ids[20]}#comment-${ids[20]}`);
  assert.equal(echoes(await read(visitor, late)), 40);
});

test('Members can report the posts and comments of others, with a link at each', async () => {
  const postId = await publish(portico, bob, 'On care');
  const own = await addComment(alice, postId, 'Mine.');
  const other = await addComment(bob, postId, 'Not mine.');

  const page = await read(asAlice, `/posts/${postId}`);
  const visitors = await read(new Browser(app.url), `/posts/${postId}`);

  assert.ok(page.includes(`href="/report?post=${postId}"`));
  assert.ok(page.includes(`href="/report?comment=${other}"`));
  assert.ok(!page.includes(`href="/report?comment=${own}"`));
  assert.ok(!(await read(asBob, `/posts/${postId}`)).includes(`href="/report?post=`));
  assert.ok(!visitors.includes('/report?'));
});

test('The Chinese page has all texts about comments in Chinese', async () => {
  const postId = await publish(portico, bob, 'On tongues');
  await addComment(bob, postId, 'Hm.');
  const browser = new Browser(app.url, 'zh-CN');
  await browser.signIn('alice', PASSWORD);

  const page = await read(browser, `/posts/${postId}`);

  for (const words of ['1 条评论', '写评论', '发表评论', '回复', '举报'])
    assert.ok(page.includes(words), words);
});
