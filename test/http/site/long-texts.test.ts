// Long and tangled texts: judged before they are rendered, rendered once, and shown in pages of a bounded size.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { comment, reply } from '../../../src/community/comment.ts';
import { renewRenderings } from '../../../src/community/rendering.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { browserOf, type Person, person, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
const asAlice = await browserOf(app, 'alice');
const visitor = new Browser(app.url);

// Each use of the name repeats the address.
const TANGLED = `[a]: ${'x'.repeat(1_000)}\n${'[a]'.repeat(30_000)}`;

async function send(path: string, fields: Record<string, string>, page = path): Promise<Response> {
  const form = new URLSearchParams(formIn(await (await asAlice.open(page)).text(), path));
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return asAlice.post(path, form);
}

async function read(path: string): Promise<string> {
  let answer = await visitor.open(path);
  for (let to = answer.headers.get('location'); to !== null; to = answer.headers.get('location')) {
    answer = await visitor.open(to);
  }
  assert.equal(answer.status, 200, path);
  return answer.text();
}

async function added(adding: ReturnType<typeof comment>): Promise<number> {
  const result = await adding;
  assert.ok(result !== undefined && 'id' in result);
  return result.id;
}

/** So many comments or replies, at the pace of a member. */
async function addMany(
  count: number,
  add: (author: Person) => ReturnType<typeof comment>,
): Promise<number[]> {
  const ids = [];
  for (let index = 0; index < count; index += 1) {
    if (index % 25 === 0) app.clock.advance(HOUR);
    ids.push(await added(add(alice)));
  }
  return ids;
}

const commentOn = (postId: number, body: string) => (author: Person) =>
  comment(byMember(author, app.clock.read), portico.community, postId, body);
const replyTo = (id: number, body: string) => (author: Person) =>
  reply(byMember(author, app.clock.read), portico.community, id, body);

test('The length of a preview is judged before it is rendered, and the text is kept', async () => {
  const body = '<b>'.repeat(40_000);

  const answer = await send('/write', { title: 'Long', body, action: 'preview' });

  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, /The text can have at most 100,000 characters\./);
  assert.match(page, /<section id="preview" class="card preview unasked"/);
  assert.ok(page.includes('&lt;b&gt;'.repeat(40_000)));
});

test('A member can preview 60 times a minute, and is then told to wait', async () => {
  app.clock.advance(HOUR);
  const text = { title: 'Often', body: 'Flour', action: 'preview' };
  for (let index = 0; index < 60; index += 1) assert.equal((await send('/write', text)).status, 200);

  const answer = await send('/write', text);

  const page = await answer.text();
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '60');
  assert.match(page, /You’ve previewed a lot this minute\. You can preview again in a minute\./);
  assert.match(page, />\nFlour<\/textarea>/);
  app.clock.advance(MINUTE);
  assert.equal((await send('/write', text)).status, 200);
});

test('A text that is too complex is not previewed, saved, published or commented, and is kept', async () => {
  app.clock.advance(HOUR);
  const postId = await publish(portico, bob, 'Simple');
  const sorry = /can’t be displayed, because its formatting is too complex/;
  for (const action of ['preview', 'draft', 'publish']) {
    const answer = await send('/write', { title: 'Tangled', body: TANGLED, action });
    const page = await answer.text();

    assert.equal(answer.status, 400, action);
    assert.match(page, sorry);
    assert.ok(page.includes('[a]'.repeat(30_000)));
  }
  const body = `[a]: ${'x'.repeat(1_000)}\n${'[a]'.repeat(1_200)}`;
  const answer = await send(`/posts/${postId}/comments`, { body }, `/posts/${postId}/simple`);
  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.match(page, sorry);
  assert.ok(page.includes('[a]'.repeat(1_200)));
  assert.doesNotMatch(await (await asAlice.open('/drafts')).text(), /Tangled/);
});

const setHtml = sql<{ id: number; html: string | undefined; version: number }>`
  UPDATE posts SET html = :html, html_version = :version WHERE id = :id`;

async function store(id: number, html: string | undefined, version: number): Promise<void> {
  await portico.database.atomically({ audit: { entries: [] }, guard: setHtml({ id, html, version }) });
}

test('A page shows the stored HTML, and renders nothing', async () => {
  const id = await publish(portico, bob, 'Stored');
  const before = await portico.community.reads.findPost(id);
  await store(id, '<p>from the row</p>', 1_000);

  const page = await read(`/posts/${id}`);

  assert.match(before?.html ?? '', /^<p>/);
  assert.match(page, /<div class="prose" [^>]*><p>from the row<\/p><\/div>/);
});

test('A text without HTML, or with older HTML, is rendered when it is first read', async () => {
  const id = await publish(portico, bob, 'Old');
  const rendered = (await portico.community.reads.findPost(id))?.html;
  for (const html of [undefined, '<p>older</p>']) {
    await store(id, html, 0);

    const page = await read(`/posts/${id}`);

    assert.ok(rendered !== undefined && page.includes(`data-done="Copied">${rendered}</div>`));
    assert.equal((await portico.community.reads.findPost(id))?.html, rendered);
  }
});

test('Texts are rendered again in the background; one that is too complex is shown as it was written', async () => {
  const setBody = sql<{ id: number; body: string }>`
    UPDATE posts SET body = :body, html = NULL, html_version = 0 WHERE id = :id`;
  const [plain, tangled] = [await publish(portico, bob, 'Plain'), await publish(portico, bob, 'Knot')];
  await store(plain, undefined, 0);
  const guard = setBody({ id: tangled, body: `<i>\n\n${TANGLED}` });
  await portico.database.atomically({ audit: { entries: [] }, guard });

  const renewed = await renewRenderings(portico.community);

  assert.equal(renewed, 2);
  assert.equal(await renewRenderings(portico.community), 0);
  assert.match((await portico.community.reads.findPost(plain))?.html ?? '', /^<p>/);
  assert.match(await read(`/posts/${tangled}`), /<p class="unformatted">&lt;i&gt;\n\n\[a\]: xxx/);
});

const shownIn = (page: string) => [...page.matchAll(/id="comment-(\d+)"/g)].map(([, id]) => Number(id));
const linkIn = (page: string, rel: string) => new RegExp(`rel="${rel}" href="([^"#]+)`).exec(page)?.[1];

/** All comments by the links from one page to the next, and each page's length. */
async function walk(start: string, rel: 'next' | 'prev') {
  const pages = [];
  for (let path: string | undefined = start; path !== undefined; path = linkIn(pages.at(-1) ?? '', rel)) {
    pages.push(await read(path));
    assert.ok(pages.length < 100);
  }
  return { ids: pages.map(shownIn), longest: Math.max(...pages.map((page) => page.length)) };
}

test('Long comments are read in parts of a bounded size, and each address leads to its comment', async () => {
  const postId = await publish(portico, bob, 'Long-winded');
  const ids = await addMany(45, commentOn(postId, '!['.repeat(2_500)));

  const { ids: forward, longest } = await walk(`/posts/${postId}`, 'next');
  const { ids: back } = await walk(`/comments/${ids.at(-1)}`, 'prev');

  assert.deepEqual(forward.flat(), ids);
  assert.deepEqual(new Set(back.flat()), new Set(ids));
  assert.ok(longest < 150_000, `${longest} characters`);
  for (const id of ids) assert.ok(shownIn(await read(`/comments/${id}`)).includes(id));
});

test('Many short replies are read in parts of a bounded number', async () => {
  const postId = await publish(portico, bob, 'Talkative');
  const tops = await addMany(12, commentOn(postId, 'Hello?'));
  const replies: number[] = [];
  for (const top of tops) replies.push(...(await addMany(20, replyTo(top, 'Hello!'))));

  const { ids } = await walk(`/posts/${postId}`, 'next');

  assert.ok(ids.every((part) => part.length <= 100));
  assert.deepEqual(new Set(ids.flat()), new Set([...tops, ...replies]));
});

test('Of long replies few stand with the comment, and each address leads to its reply', async () => {
  const postId = await publish(portico, bob, 'Echoing');
  const top = await added(commentOn(postId, 'a'.repeat(5_000))(alice));
  const ids = await addMany(30, replyTo(top, '面'.repeat(5_000)));

  const page = await read(`/posts/${postId}`);
  const { ids: parts, longest } = await walk(`/comments/${top}/replies`, 'next');

  assert.ok(shownIn(page).length > 1 && shownIn(page).length < 10);
  assert.match(page, /Show all replies/);
  assert.deepEqual(new Set(parts.flat()), new Set([top, ...ids]));
  assert.ok(longest < 150_000, `${longest} characters`);
  for (const id of ids) assert.ok(shownIn(await read(`/comments/${id}`)).includes(id));
});
