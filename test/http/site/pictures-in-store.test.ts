// Pictures that are kept in a folder or a bucket: the same pages, and clear errors if the store fails.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { type TestScope, temporaryFolder } from '../../support/databases.ts';
import { member } from '../../support/people.ts';
import { startProgram } from '../../support/program.ts';
import { S3_KEYS, startS3 } from '../../support/s3-server.ts';
import { drawPicture } from './picture-form.ts';
import { addPicture, textIn, uploadedPath } from './text-picture-form.ts';

const KEYS = { FILES_KEY_ID: S3_KEYS.keyId, FILES_SECRET: S3_KEYS.secret };

interface Place {
  settings: Record<string, string>;
  /** The number of files in it. */
  count(): Promise<number>;
}

async function folder(t: TestScope): Promise<Place> {
  const path = join(await temporaryFolder(t), 'pictures');
  return {
    settings: { FILES_URL: `file:${path}` },
    async count() {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).length;
    },
  };
}

async function bucket(t: TestScope): Promise<Place> {
  const s3 = await startS3(t);
  return { settings: { FILES_URL: s3.setting, ...KEYS }, count: async () => s3.objects.size };
}

async function openWith(t: TestScope, settings: Record<string, string>): Promise<App> {
  const app = await openApp(settings);
  t.after(() => app.close());
  return app;
}

for (const [name, open] of [
  ['a folder', folder],
  ['a bucket', bucket],
] as const) {
  test(`A picture in ${name} is shown to those who see its text, and its files go with it`, async (t) => {
    const place = await open(t);
    const app = await openWith(t, place.settings);
    const [bob, visitor] = [await member(app, 'bob'), new Browser(app.url)];
    const path = await uploadedPath(bob.browser, await drawPicture('#0a0', 900, 600));
    const uploaded = [(await bob.browser.open(path)).status, (await visitor.open(path)).status];

    const answer = await bob.browser.submit(await bob.browser.read('/write'), '/write', {
      title: 'Hills',
      body: `![Hills](${path})`,
      action: 'publish',
    });
    const smaller = await visitor.open(path.replace('.webp', '-320.webp'));
    const { width } = await sharp(await smaller.bytes()).metadata();
    const files = await place.count();
    const post = (answer.headers.get('location') ?? '').split('/').slice(0, 3).join('/');
    await bob.browser.submit(await bob.browser.read(`${post}/remove`), `${post}/remove`, {});
    app.clock.advance(31 * DAY);
    while ((await app.portico.purge()) > 0);

    assert.deepEqual(uploaded, [200, 404]);
    assert.deepEqual([smaller.headers.get('content-type'), width, files], ['image/webp', 320, 3]);
    assert.equal(await place.count(), 0);
  });
}

describe('If the store fails', () => {
  test('an upload is refused with its text, nothing is left over, and pictures are unavailable', async (t) => {
    const s3 = await startS3(t);
    const app = await openWith(t, { FILES_URL: s3.setting, ...KEYS });
    const bob = await member(app, 'bob');
    const path = await uploadedPath(bob.browser, await drawPicture());
    s3.failure = { status: 403, code: 'AccessDenied' };

    const refused = await addPicture(bob.browser, await drawPicture(), { body: 'Kept.' });
    const page = await refused.text();
    const unavailable = await bob.browser.open(path);
    s3.failure = undefined;
    app.clock.advance(2 * HOUR);
    await app.portico.purge();

    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    assert.match(page, /The picture couldn’t be stored/);
    assert.equal(textIn(page), 'Kept.');
    assert.deepEqual([unavailable.status, unavailable.headers.get('cache-control')], [503, 'no-store']);
    assert.equal((await bob.browser.open(path)).status, 200);
    assert.equal(s3.objects.size, 1);
  });

  test('at the start, the server says so in one line and doesn’t start', async (t) => {
    const s3 = await startS3(t);
    const path = join(await temporaryFolder(t), 'portico.db');
    const settings = {
      DATABASE_URL: `file:${path}`,
      FILES_URL: s3.setting,
      ...KEYS,
      FILES_SECRET: 'hush-hush',
    };

    await assert.rejects(startProgram(settings), (error: Error) => {
      const line =
        /^portico: FILES_URL: cannot keep files in http:\S+\/of-tests\/: it answers with status 403 \(Signature\w+\)$/m;
      assert.match(error.message, line);
      assert.doesNotMatch(error.message, /hush-hush/);
      return true;
    });
  });
});
