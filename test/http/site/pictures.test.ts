// Members' profile pictures.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member } from '../../support/people.ts';
import { addPersonalToken } from '../../support/seeding.ts';
import { drawPicture, PICTURE, PROFILE, uploadPicture } from './picture-form.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

function signedIn(username: string, language = 'en') {
  return member(app, username, { bio: `I am ${username}`, language });
}

async function me(token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${app.url}/api/open/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
  const body = (await answer.json()) as { data?: Record<string, unknown> };
  return body.data ?? (body as Record<string, unknown>);
}

test('A picture is uploaded, shown at once on every page and to applications, and removed again', async () => {
  const { browser, id, username } = await signedIn('alice');
  const { text: token } = await addPersonalToken(portico, id);
  const generated = String((await me(token)).avatarUrl);

  const answer = await uploadPicture(browser, await drawPicture());

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
  assert.equal(
    served.headers.get('content-security-policy'),
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  );
  assert.equal((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width, 256);

  await browser.submit(await browser.read(PROFILE), `${PICTURE}/remove`);

  assert.equal((await me(token)).avatarUrl, generated);
  assert.equal((await fetch(url)).status, 404);
});

test('Each picture has its own address, which works for no other version and no other member', async () => {
  const { browser, id } = await signedIn('anna');
  await uploadPicture(browser, await drawPicture('#1010d0'));
  const first = (await portico.identity.reads.findUser(id))?.avatar;

  await uploadPicture(browser, await drawPicture('#d01010'));

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
    [/can’t be read as a picture/, /larger than 5 MB/, /at most 51 million pixels/, /Choose a file first/],
  ],
  ['zh', [/无法将此文件读取为图片/, /文件超过 5 MB/, /最多 5100 万像素/, /请先选择文件/]],
] as const) {
  test(`A file that can’t be a picture is refused, and the page says what to do (${language})`, async () => {
    const { browser, id } = await signedIn(`bert-${language}`, language);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const files = [
      svg,
      Buffer.alloc(6 * 1024 * 1024),
      await drawPicture('#d01010', 8000, 8000),
      Buffer.alloc(0),
    ];

    const answers = [];
    for (const file of files) answers.push(await uploadPicture(browser, file));

    for (const [index, answer] of answers.entries()) {
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), words[index] ?? /^$/);
    }
    assert.equal((await portico.identity.reads.findUser(id))?.avatar, undefined);
  });
}

test('A picture is accepted only with this browser’s own form', async () => {
  const { browser, id } = await signedIn('carla');

  const answers = [
    await uploadPicture(browser, await drawPicture(), { form_token: 'another' }),
    await new Browser(app.url).open(PICTURE, { method: 'POST', body: new FormData() }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 303],
  );
  assert.match(answers[1]?.headers.get('location') ?? '', /^\/login/);
  assert.equal((await portico.identity.reads.findUser(id))?.avatar, undefined);
});

test('A body that is not a form with a file is refused, and changes nothing', async () => {
  const { browser } = await signedIn('conny');

  const plain = await browser.post(PICTURE, new URLSearchParams({ picture: 'x' }));
  const broken = await browser.open(PICTURE, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nnothing',
  });

  assert.deepEqual([plain.status, broken.status], [415, 400]);
});
