// Pictures in posts and comments: who sees them, with which headers, and until when.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { newPicture, picturePath } from '../../../src/community/picture.ts';
import { openImportFile } from '../../../src/import/formats/import-file.ts';
import { importAll } from '../../../src/import/import-all.ts';
import { withPicture } from '../../../src/import/pictures-in-text.ts';
import { openReport } from '../../../src/import/report.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { type Member, member } from '../../support/people.ts';

let app: App;
let olivia: Member;
let alice: Member;
let visitor: Browser;
before(async () => {
  app = await openApp();
  olivia = await member(app, 'olivia', { isOperator: true });
  alice = await member(app, 'alice');
  visitor = new Browser(app.url);
});
after(() => app.close());

const FOREIGN = 'https://old.example/a.png';

/** Import posts by alice with a picture each, as a download would add it. Returns their pictures' paths, by post. */
async function importWithPictures(folder: string, colours: readonly string[]): Promise<[number, string][]> {
  const path = join(folder, 'community.jsonl');
  const body = `Before\n\n![A "blue" door](${FOREIGN})\n\n![Elsewhere](https://other.example/b.png)`;
  const lines = colours.map((id) => ({ type: 'post', id, author: 'alice', title: `Doors ${id}`, body }));
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { imports, clock } = app.portico;
  const { format, ...file } = await openImportFile(path, undefined);
  const run = { by: byCommandLine(clock), source: file.source, format };
  await importAll(
    imports,
    file,
    { ...run, existingMembers: new Map(), report: openReport(undefined) },
    () => {},
  );
  const texts = await imports.reads.textsWithPictures(file.source, 'post', '', 100);
  const added: [number, string][] = [];
  for (const text of texts.filter(({ externalId }) => colours.includes(externalId))) {
    const background = text.externalId;
    const file = await sharp({ create: { width: 90, height: 60, channels: 3, background } })
      .png()
      .toBuffer();
    const picture = await newPicture(file);
    assert.ok('digest' in picture);
    const path = picturePath(picture);
    const revised = { body: withPicture(text.body, FOREIGN, path), excerpt: 'Before' };
    assert.ok(await imports.writes.addPicture(text, revised, picture, clock()));
    added.push([text.id, path]);
  }
  return added;
}

describe('a picture in a post', () => {
  test('is shown on its page with its description and size, and any other image is a link', async (t) => {
    const [[post, path] = [0, '']] = await importWithPictures(await temporaryFolder(t), ['blue']);

    const page = await visitor.read(`/posts/${post}/doors-blue`);
    const answer = await visitor.open(path);

    const image = `<img src="${path}" alt="A &quot;blue&quot; door" width="90" height="60" loading="lazy">`;
    assert.ok(page.includes(image), page);
    assert.match(
      page,
      /<a href="https:\/\/other\.example\/b\.png" rel="nofollow ugc noopener">Elsewhere<\/a>/,
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'image/webp');
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable');
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
    const { format, width, height } = await sharp(await answer.bytes()).metadata();
    assert.deepEqual([format, width, height], ['webp', 90, 60]);
    for (const other of [path.replace('90x60', '60x90'), path.replace(/[0-9a-f]/, 'e'), '/pictures/x.webp']) {
      assert.equal((await visitor.open(other)).status, 404, other);
    }
  });

  test('is gone for others with the next request when the post is removed, and back when it is restored', async (t) => {
    const [[post, path] = [0, '']] = await importWithPictures(await temporaryFolder(t), ['red']);

    const removal = await alice.browser.read(`/posts/${post}/remove`);
    await alice.browser.submit(removal, `/posts/${post}/remove`, {});
    const removed = [visitor, alice.browser, olivia.browser].map(async (b) => (await b.open(path)).status);
    const statuses = await Promise.all(removed);
    const list = await alice.browser.read('/posts/removed');
    await alice.browser.submit(list, `/posts/${post}/restore`, {});

    assert.deepEqual(statuses, [404, 200, 200]);
    assert.equal((await visitor.open(path)).status, 200);
  });

  test('is in the download of the author’s data', async (t) => {
    const [[post, path] = [0, '']] = await importWithPictures(await temporaryFolder(t), ['green']);

    const account = await alice.browser.read('/settings/account');
    const answer = await alice.browser.submit(account, '/settings/account/export', {});

    const { pictures } = (await answer.json()) as { pictures: { address: string; post_id: number }[] };
    const own = pictures.find(({ address }) => address === app.url + path);
    const { size, ...facts } = { size: 0, ...own };
    assert.ok(size > 0);
    const expected = { type: 'image/webp', width: 90, height: 60, post_id: post, comment_id: null };
    assert.deepEqual(facts, { address: app.url + path, ...expected });
  });

  test('stays in the post when its author edits the text around it', async (t) => {
    const [[post, path] = [0, '']] = await importWithPictures(await temporaryFolder(t), ['white']);

    const editor = await alice.browser.read(`/posts/${post}/edit`);
    assert.ok(editor.includes(path));
    await alice.browser.submit(editor, `/posts/${post}/edit`, { body: `After ![door](${path})` });
    const shown = await visitor.read(`/posts/${post}/doors-white`);
    const again = await alice.browser.read(`/posts/${post}/edit`);
    await alice.browser.submit(again, `/posts/${post}/edit`, { body: 'Without.' });

    assert.ok(shown.includes(`<img src="${path}" alt="door"`), shown);
    assert.equal((await visitor.open(path)).status, 404);
  });

  test('is closed to visitors where only members can read', async (t) => {
    const [[, path] = [0, '']] = await importWithPictures(await temporaryFolder(t), ['black']);

    const settings = await olivia.browser.read('/operator/settings');
    await olivia.browser.submit(settings, '/operator/settings', { reading: 'members' });

    assert.deepEqual(
      [(await visitor.open(path)).status, (await alice.browser.open(path)).status],
      [303, 200],
    );
  });
});
