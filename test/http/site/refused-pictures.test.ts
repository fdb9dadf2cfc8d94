// Pictures that are refused: the text that came with them comes back.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { member, publish, setStatus } from '../../support/people.ts';
import { drawPicture } from './picture-form.ts';
import { addPicture, openPictureApp, sendPicture, textIn } from './text-picture-form.ts';

const { app, alice, bob, visitor } = await openPictureApp();
after(() => app.close());

describe('a picture is refused, and the text comes back', () => {
  const fields = { title: 'Kept', body: 'Kept & whole.', category: '1' };

  for (const [what, file, words] of [
    ['no file', async () => Buffer.alloc(0), /Choose a file first/],
    ['a text', async () => Buffer.from('not a picture'), /can’t be read as a picture/],
    [
      'a drawing that could carry scripts',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /can’t be read as a picture/,
    ],
    ['more than 10 MB', async () => Buffer.alloc(10 * 1024 * 1024 + 1, 0xff), /larger than 10 MB/],
    ['far more than 10 MB', async () => Buffer.alloc(30 * 1024 * 1024, 0xff), /larger than 10 MB/],
  ] as const) {
    test(`if it is ${what}`, async () => {
      const answer = await addPicture(bob.browser, await file(), fields);

      const page = await answer.text();
      assert.equal(answer.status, 400);
      assert.match(page, words);
      assert.equal(textIn(page), 'Kept & whole.');
      assert.match(page, /value="Kept"/);
    });
  }

  test('if the member has uploaded as many as a day allows, and tells how long to wait', async () => {
    const dave = await member(app, 'dave');
    for (let count = 0; count < 40; count += 1) await sendPicture(dave.browser, Buffer.from('no picture'));

    const answer = await addPicture(dave.browser, await drawPicture(), fields);

    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get('retry-after'), '86400');
    assert.equal(textIn(await answer.text()), 'Kept & whole.');
  });

  test('if the pictures of the member take all the room that one has', async () => {
    const erin = await member(app, 'erin');
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const file = await sharp({
      create: { width: 1600, height: 1600, channels: 3, background: '#000', noise },
    })
      .jpeg()
      .toBuffer();
    while ((await sendPicture(erin.browser, file)).status === 200);

    const answer = await addPicture(erin.browser, await drawPicture(), fields);

    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.match(page, /Your pictures take 1 MB, and that’s the most here/);
    assert.equal(textIn(page), 'Kept & whole.');
  });

  test('if the member was signed out meanwhile', async () => {
    const frank = await member(app, 'frank');
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('form_token', 'of another session');
    form.append('picture', new Blob([new Uint8Array(await drawPicture())]), 'a.png');
    const answers = [frank.browser, visitor].map((one) =>
      one.open('/write/picture', { method: 'POST', body: form }),
    );

    for (const answer of await Promise.all(answers)) {
      assert.equal(answer.status, 403);
      assert.match(await answer.text(), /Kept &amp; whole\./);
    }
  });

  test('if the account was suspended while the picture was drawn', async () => {
    const { writes } = app.portico.community;
    const grace = await member(app, 'grace');
    const add = writes.addUpload;
    writes.addUpload = async (...all) => {
      await setStatus(app.portico.identity, grace.id, 'suspended');
      return add(...all);
    };
    try {
      assert.equal((await addPicture(grace.browser, await drawPicture(), fields)).status, 403);
    } finally {
      writes.addUpload = add;
    }
  });

  test('of another member’s post or comment, as if there were none', async () => {
    const post = `/posts/${await publish(app.portico, bob, 'His')}`;
    const form = new FormData();
    const page = await alice.browser.read('/write');
    form.append('form_token', /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '');
    form.append('picture', new Blob([new Uint8Array(await drawPicture())]), 'a.png');

    for (const path of [
      `${post}/edit/picture`,
      '/posts/999/comments/picture',
      '/comments/999/reply/picture',
      '/comments/999/edit/picture',
    ]) {
      assert.equal((await alice.browser.open(path, { method: 'POST', body: form })).status, 404, path);
    }
  });
});
