// People: the picture that a member chooses, their data to take along, and closing the account.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { write } from '../../../src/community/writing.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { addPersonalToken, addSignIn } from '../../support/household.ts';
import { member, notebook, PASSWORD, person, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const PROFILE = '/settings/profile';
const PICTURE = '/settings/profile/picture';
const CLOSING = '/settings/account/close';
const EXPORT = '/settings/account/export';

function signedIn(username: string, language = 'en') {
  return member(app, username, { bio: `I am ${username}`, language });
}

function picture(background = '#1010d0', width = 300, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

async function upload(
  browser: Browser,
  file: Uint8Array,
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of formIn(await browser.read(PROFILE), PICTURE)) {
    if (name !== 'picture') form.append(name, fields[name] ?? value);
  }
  form.append('picture', new Blob([new Uint8Array(file)]), '../../me.png');
  return browser.open(PICTURE, { method: 'POST', body: form });
}

async function me(token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${app.url}/api/open/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
  const body = (await answer.json()) as { data?: Record<string, unknown> };
  return body.data ?? (body as Record<string, unknown>);
}

test('A picture is taken, shown at once on every page and to applications, and removed again', async () => {
  const { browser, id, username } = await signedIn('alice');
  const { text: token } = await addPersonalToken(portico, id);
  const generated = String((await me(token)).avatarUrl);

  const answer = await upload(browser, await picture());

  assert.equal(answer.status, 303);
  const url = String((await me(token)).avatarUrl);
  assert.match(url, new RegExp(`^${app.url}/avatars/${id}-[0-9a-f]{12}\\.webp$`));
  const path = new URL(url).pathname;
  assert.ok((await browser.read(PROFILE)).includes(`src="${path}"`));
  assert.ok((await new Browser(app.url).read(`/u/${username}`)).includes(`src="${path}"`));
  const served = await fetch(url);
  assert.equal(served.headers.get('content-type'), 'image/webp');
  assert.equal(served.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(served.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.equal(served.headers.get('content-security-policy'), "default-src 'none'; sandbox");
  assert.equal((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width, 256);

  await browser.submit(await browser.read(PROFILE), `${PICTURE}/remove`);

  assert.equal((await me(token)).avatarUrl, generated);
  assert.equal((await fetch(url)).status, 404);
});

test('Another picture has another address; of other versions and members there is none', async () => {
  const { browser, id } = await signedIn('anna');
  await upload(browser, await picture('#1010d0'));
  const first = (await portico.identity.reads.findUser(id))?.avatar;

  await upload(browser, await picture('#d01010'));

  const second = (await portico.identity.reads.findUser(id))?.avatar;
  assert.notEqual(first, second);
  const statuses = [`${id}-${first}`, `${id}-${second}`, `${id + 1000}-${second}`].map(
    async (name) => (await fetch(`${app.url}/avatars/${name}.webp`)).status,
  );
  assert.deepEqual(await Promise.all(statuses), [404, 200, 404]);
});

for (const [language, words] of [
  [
    'en',
    [/can’t be read as a picture/, /larger than 5 MB/, /more than 40 million pixels/, /Choose a file first/],
  ],
  ['zh', [/无法将此文件读取为图片/, /文件超过 5 MB/, /超过 4000 万像素/, /请先选择文件/]],
] as const) {
  test(`What can not be a picture is refused with what to do about it (${language})`, async () => {
    const { browser, id } = await signedIn(`bert-${language}`, language);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const files = [svg, Buffer.alloc(6 * 1024 * 1024), await picture('#d01010', 8000, 8000), Buffer.alloc(0)];

    const answers = [];
    for (const file of files) answers.push(await upload(browser, file));

    for (const [index, answer] of answers.entries()) {
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), words[index] ?? /^$/);
    }
    assert.equal((await portico.identity.reads.findUser(id))?.avatar, undefined);
  });
}

test('A picture is taken only from a form of this very browser', async () => {
  const { browser, id } = await signedIn('carla');

  const answers = [
    await upload(browser, await picture(), { form_token: 'another' }),
    await new Browser(app.url).open(PICTURE, { method: 'POST', body: new FormData() }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 303],
  );
  assert.match(answers[1]?.headers.get('location') ?? '', /^\/login/);
  assert.equal((await portico.identity.reads.findUser(id))?.avatar, undefined);
});

test('A body that is no form with a file is refused and breaks nothing', async () => {
  const { browser } = await signedIn('conny');

  const plain = await browser.post(PICTURE, new URLSearchParams({ picture: 'x' }));
  const broken = await browser.open(PICTURE, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nnothing',
  });

  assert.deepEqual([plain.status, broken.status], [415, 400]);
});

test('The data of a member is one document with all that is theirs, and no secret', async () => {
  const { browser, id, username } = await signedIn('dora');
  const own = { id, username };
  const other = await person(portico, 'dieter');
  // More than is read at once, all with one moment.
  for (let n = 0; n < 120; n += 1) await publish(portico, own, `Note ${n}`, `Text "${n}" & more`);
  const by = byMember({ id }, app.clock.read);
  const draft = { title: 'Draft', body: 'Secret.', categoryId: 1 };
  await write(by, portico.community, { authorId: id, text: draft, status: 'draft' });
  const gone = await publish(portico, own, 'Gone');
  await portico.community.writes.removePost(by, gone, 10);
  const theirs = await publish(portico, other, 'Not hers');
  const comment = { postId: theirs, answers: undefined, body: 'Well said.', xp: 2, weight: 1 };
  await portico.community.writes.addComment(by, comment);
  const { text: token } = await addPersonalToken(portico, id);
  const { access, refresh } = await addSignIn(portico, await notebook(portico), id);

  const answer = await browser.submit(await browser.read('/settings/account'), EXPORT);

  const text = await answer.text();
  const data = JSON.parse(text);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="account-${id}.json"`);
  assert.equal(data.profile.username, username);
  assert.equal(data.posts.length, 122);
  assert.equal(new Set(data.posts.map((post: { id: number }) => post.id)).size, 122);
  assert.deepEqual(
    data.posts
      .filter((post: { status: string }) => post.status !== 'published')
      .map((post: { title: string }) => post.title),
    ['Draft', 'Gone'],
  );
  assert.equal(data.posts.find((post: { title: string }) => post.title === 'Note 7').body, 'Text "7" & more');
  assert.deepEqual(
    data.comments.map((comment: { body: string }) => comment.body),
    ['Well said.'],
  );
  assert.deepEqual(
    data.connected_applications.map((one: { name: string }) => one.name),
    ['Notebook'],
  );
  assert.deepEqual(
    data.api_tokens.map((one: { name: string }) => one.name),
    ['laptop'],
  );
  assert.ok(!text.includes('Not hers'));
  for (const secret of [token, access, refresh, 'argon2', token.slice(-6)]) assert.ok(!text.includes(secret));
});

test('The document is sent while it is read: 10,000 long posts take no more memory than a few', async () => {
  const { browser, id } = await signedIn('emil');
  const { writes } = portico.community;
  const by = byMember({ id }, app.clock.read);
  const body = 'x'.repeat(10_000);
  const post = { title: 'Long', body, excerpt: 'x', words: 'x', categoryId: 1 };
  for (let n = 0; n < 20; n += 1) {
    const some = Array.from({ length: 500 }, () =>
      writes.addPost(by, { ...post, userId: id, status: 'published', xp: 0 }),
    );
    await Promise.all(some);
  }
  const page = await browser.read('/settings/account');
  // What is garbage depends on when it was collected last.
  const inUse = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();

  const answer = await browser.submit(page, EXPORT);
  let bytes = 0;
  let looked = 0;
  let most = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes - looked < 10_000_000) continue;
    looked = bytes;
    most = Math.max(most, inUse() - before);
  }

  assert.ok(bytes > 100_000_000, `${bytes} bytes`);
  assert.ok(most < 10_000_000, `${most} bytes more`);
});

test('Nobody else can make a browser download, and nobody does it all day', async () => {
  const { browser } = await signedIn('frida');
  const page = await browser.read('/settings/account');

  const without = await browser.post(EXPORT, new URLSearchParams());
  const byLink = await browser.open(EXPORT);
  const statuses = [];
  let wait: string | null = null;
  for (let n = 0; n < 4; n += 1) {
    const answer = await browser.submit(page, EXPORT);
    await answer.text();
    statuses.push(answer.status);
    wait = answer.headers.get('retry-after');
  }
  app.clock.advance(DAY);
  const nextDay = await browser.submit(page, EXPORT);
  await nextDay.text();

  assert.deepEqual([without.status, byLink.status], [403, 404]);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  assert.equal(wait, '86400');
  assert.equal(nextDay.status, 200);
});

test('An account is closed with its password and a tick; the page says when, and everything is over at once', async () => {
  const { browser, id, username } = await signedIn('greta');
  await upload(browser, await picture());
  const post = await publish(portico, { id, username }, 'Last words');
  const { text: token } = await addPersonalToken(portico, id);
  const { access } = await addSignIn(portico, await notebook(portico), id);
  const elsewhere = new Browser(app.url);
  await elsewhere.signIn(username, PASSWORD);
  const question = await browser.read(CLOSING);
  assert.match(question, /can’t be undone/);

  const unsure = await browser.submit(question, CLOSING, { password: PASSWORD });
  const wrong = await browser.submit(question, CLOSING, { password: 'wrong', sure: '1' });
  assert.deepEqual([unsure.status, wrong.status], [400, 400]);
  assert.match(await unsure.text(), /href="#sure"/);
  assert.match(await wrong.text(), /The current password is incorrect/);
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
  app.clock.now = Date.UTC(2032, 0, 2, 6, 3, 7);
  await browser.signIn(username, PASSWORD);
  const answer = await browser.submit(await browser.read(CLOSING), CLOSING, {
    password: PASSWORD,
    sure: '1',
  });

  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(page, /The account greta was closed at 14:03:07\./);
  assert.match(page, /href="\/login"/);
  assert.equal(browser.cookie('portico_session'), undefined);
  assert.equal((await browser.open(PROFILE)).status, 303);
  assert.equal((await elsewhere.open(PROFILE)).status, 303);
  assert.equal((await new Browser(app.url).signIn(username, PASSWORD)).status, 403);
  assert.equal((await browser.open(`/posts/${post}`)).status, 404);
  assert.equal((await browser.open(`/u/${username}`)).status, 404);
  for (const credential of [token, access]) {
    const call = await fetch(`${app.url}/api/open/v1/me`, {
      headers: { Authorization: `Bearer ${credential}` },
    });
    assert.equal(call.status, 401);
  }
});

test('Ten wrong passwords are the most that an open browser may try', async () => {
  const { browser, id } = await signedIn('heidi');
  const page = await browser.read(CLOSING);
  for (let n = 0; n < 10; n += 1) await browser.submit(page, CLOSING, { password: `guess ${n}`, sure: '1' });

  const right = await browser.submit(page, CLOSING, { password: PASSWORD, sure: '1' });

  assert.equal(right.status, 429);
  assert.equal(right.headers.get('retry-after'), '900');
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
});

test('The only operator is told why the account stays', async () => {
  const { browser, id } = await signedIn('otto');
  await portico.identity.writes.setOperator(byServer(portico.clock), id, true);

  const page = await browser.read(CLOSING);

  assert.match(page, /You are the only operator/);
  assert.throws(() => formIn(page, CLOSING));
  const token = formIn(await browser.read('/settings/account'), EXPORT)[0]?.[1] ?? '';
  const forced = new URLSearchParams({ form_token: token, password: PASSWORD, sure: '1' });
  const answer = await browser.post(CLOSING, forced);
  assert.equal(answer.status, 409);
  assert.equal((await portico.identity.reads.findUser(id))?.status, 'active');
});
