// Adding pictures to posts and comments: without script and with it, and what is refused.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { pictureIn, picturePath } from '../../../src/community/picture.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { type Member, member } from '../../support/people.ts';
import { drawPicture } from './picture-form.ts';
import { addPicture, openPictureApp, sendPicture, textIn, uploadedPath } from './text-picture-form.ts';

const { app, alice, bob, visitor } = await openPictureApp();
after(() => app.close());

const PICTURE_LINE = /!\[(.*)\]\((\/pictures\/[0-9a-f]{32}-\d+x\d+\.webp)\)/;

function pathIn(text: string): string {
  return PICTURE_LINE.exec(text)?.[2] ?? '';
}

/** Publish a text as a new post. Returns the path of the post. */
async function publish({ browser }: Member, body: string, title = 'Hills'): Promise<string> {
  const answer = await browser.submit(await browser.read('/write'), '/write', {
    title,
    body,
    action: 'publish',
  });
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get('location') ?? '';
}

describe('a picture is added to a text', () => {
  test('of a new post: the form comes back with the text and the picture, whose line is described', async () => {
    const fields = {
      title: 'My "hills"',
      body: 'Before.',
      category: '1',
      description: 'Two [green] *hills*',
    };
    const answer = await addPicture(bob.browser, await drawPicture('#0a0', 900, 600), fields);

    assert.equal(answer.status, 200);
    const page = await answer.text();
    assert.match(page, /value="My &quot;hills&quot;"/);
    assert.match(page, /Picture added at the end of the text/);
    const text = textIn(page);
    assert.match(
      text,
      /^Before\.\n\n!\[Two \\\[green\\\] \\\*hills\\\*\]\(\/pictures\/[0-9a-f]{32}-900x600\.webp\)\n$/,
    );
    const post = await publish(bob, text);
    const shown = await visitor.read(post);
    const path = pathIn(text);
    const stem = path.slice(0, -'.webp'.length);
    assert.ok(
      shown.includes(
        `<img src="${path}" srcset="${stem}-320.webp 320w, ${stem}-640.webp 640w, ${path} 900w" ` +
          'sizes="(max-width: 46rem) 100vw, 46rem" alt="Two [green] *hills*" width="900" height="600" loading="lazy">',
      ),
      shown,
    );
  });

  test('of a draft, a comment, a reply and their edits', async () => {
    const post = await publish(bob, 'A place for comments.');
    const id = /\/posts\/(\d+)/.exec(post)?.[1];
    const comment = await bob.browser.submit(await bob.browser.read(post), `/posts/${id}/comments`, {
      body: 'First.',
    });
    const place = comment.headers.get('location') ?? '';
    const draft = await bob.browser.submit(await bob.browser.read('/write'), '/write', {
      title: 'Draft',
      body: 'Draft.',
      action: 'draft',
    });
    const draftPath = draft.headers.get('location') ?? '';
    for (const [page, action, before] of [
      [`${draftPath}/edit`, `${draftPath}/edit`, 'Draft.'],
      [post, `/posts/${id}/comments`, ''],
      [`${place}/reply`, `${place}/reply`, ''],
      [`${place}/edit`, `${place}/edit`, 'First.'],
    ] as const) {
      const file = await drawPicture('#00a');
      const answer = await addPicture(
        bob.browser,
        file,
        { body: before, description: 'Sea' },
        { page, action },
      );

      const answered = await answer.text();
      assert.equal(answer.status, 200, action);
      assert.match(textIn(answered), PICTURE_LINE, action);
      assert.ok(textIn(answered).startsWith(before), action);
      const saved = await bob.browser.submit(answered, action, { body: textIn(answered) });
      assert.equal(saved.status, 303, action);
      const isPublic = action !== `${draftPath}/edit`;
      assert.equal((await visitor.open(pathIn(textIn(answered)))).status, isPublic ? 200 : 404, action);
    }
  });

  test('by a script, which gets its Markdown', async () => {
    const answer = await sendPicture(bob.browser, await drawPicture());

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { markdown } = (await answer.json()) as { markdown: string };
    assert.match(markdown, /^!\[\]\(\/pictures\/[0-9a-f]{32}-300x300\.webp\)$/);
  });
});

describe('an uploaded picture', () => {
  test('is redrawn: upright, at most 1600 wide, with smaller versions, and without its place and time', async () => {
    const exif = { IFD0: { Copyright: 'Bob', Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N' } };
    const file = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#a00' } })
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    assert.ok((await sharp(file).metadata()).exif);

    const path = await uploadedPath(bob.browser, file);

    assert.match(path, /-1200x2400\.webp$/);
    for (const [version, width] of [
      [path, 1200],
      [path.replace('.webp', '-320.webp'), 320],
      [path.replace('.webp', '-640.webp'), 640],
      [path.replace('.webp', '-1120.webp'), 1120],
    ] as const) {
      const answer = await bob.browser.open(version);
      const {
        format,
        exif: left,
        icc,
        xmp,
        orientation,
        ...size
      } = await sharp(await answer.bytes()).metadata();
      assert.deepEqual(
        [format, left, icc, xmp, orientation],
        ['webp', undefined, undefined, undefined, undefined],
      );
      assert.deepEqual([size.width, size.height], [width, width * 2]);
    }
    assert.equal((await bob.browser.open(path.replace('.webp', '-200.webp'))).status, 404);
  });

  test('is seen by its member only until a text that others see shows it', async () => {
    const path = await uploadedPath(bob.browser, await drawPicture());
    const statuses = async () =>
      Promise.all([bob.browser, alice.browser, visitor].map(async (one) => (await one.open(path)).status));

    const before = await statuses();
    // Mallory's trick: to show the picture of another member's draft in a text of one's own.
    await publish(alice, `![](${path})\n\nA picture that I know of.`, 'Trick').catch(() => {});
    const tricked = await statuses();
    await publish(bob, `![it](${path})`);

    assert.deepEqual(
      [before, tricked],
      [
        [200, 404, 404],
        [200, 404, 404],
      ],
    );
    assert.deepEqual(await statuses(), [200, 200, 200]);
  });

  test('of the same image belongs to each member: removing one leaves the other', async () => {
    const file = await drawPicture('#123456');
    const [hers, his] = [await uploadedPath(alice.browser, file), await uploadedPath(bob.browser, file)];
    const herPost = await publish(alice, `![it](${hers})`);
    await publish(bob, `![it](${his})`);

    const removal = `${herPost.split('/').slice(0, 3).join('/')}/remove`;
    await alice.browser.submit(await alice.browser.read(removal), removal, {});
    app.clock.advance(40 * DAY);
    while ((await app.portico.purge()) > 0);
    // The session has ended.
    await bob.browser.signIn('bob', 'a long walk in the rain');

    assert.notEqual(hers, his);
    assert.deepEqual([(await visitor.open(hers)).status, (await visitor.open(his)).status], [404, 200]);
  });

  test('is served as a picture and nothing else', async () => {
    const answer = await bob.browser.open(await uploadedPath(bob.browser, await drawPicture()));

    assert.equal(answer.headers.get('content-type'), 'image/webp');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable');
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
  });

  test('is in the download of its member’s data, used or not', async () => {
    const path = await uploadedPath(bob.browser, await drawPicture());

    const account = await bob.browser.read('/settings/account');
    const answer = await bob.browser.submit(account, '/settings/account/export', {});

    const { pictures } = (await answer.json()) as { pictures: { address: string; post_id: number | null }[] };
    assert.deepEqual(pictures.find(({ address }) => address === app.url + path)?.post_id, null);
    assert.ok(pictures.some(({ post_id }) => post_id !== null));
  });
});

describe('before a text is sent', () => {
  test('its author is reminded once of pictures without a description', async () => {
    const path = await uploadedPath(bob.browser, await drawPicture());
    const fields = { title: 'Plain', body: `![](${path})`, action: 'publish' };

    const reminder = await bob.browser.submit(await bob.browser.read('/write'), '/write', fields);
    const page = await reminder.text();
    const draft = await bob.browser.submit(await bob.browser.read('/write'), '/write', {
      ...fields,
      action: 'draft',
    });
    const published = await bob.browser.submit(page, '/write', { action: 'publish', body: fields.body });

    assert.equal(reminder.status, 200);
    assert.match(page, /a picture has no description/);
    assert.deepEqual([draft.status, published.status], [303, 303]);
  });

  test('its author is told of a picture that was chosen and not added', async () => {
    const post = await publish(bob, 'For comments.');
    const action = `${post.split('/').slice(0, 3).join('/')}/comments`;

    const ofPost = await bob.browser.submit(await bob.browser.read('/write'), '/write', {
      title: 'T',
      body: 'Kept.',
      picture: 'hills.jpg',
      action: 'publish',
    });
    const ofComment = await bob.browser.submit(await bob.browser.read(post), action, {
      body: 'Kept.',
      picture: 'hills.jpg',
    });

    for (const answer of [ofPost, ofComment]) {
      const page = await answer.text();
      assert.equal(answer.status, 400);
      assert.match(page, /isn’t in the text yet/);
      assert.equal(textIn(page), 'Kept.');
    }
  });
});

test('A picture that no text shows is gone after a week, with its member’s room', async () => {
  const heidi = await member(app, 'heidi');
  const path = await uploadedPath(heidi.browser, await drawPicture());
  assert.notEqual(await app.portico.community.reads.uploadedBytes(heidi.id), 0);

  app.clock.advance(8 * DAY);
  while ((await app.portico.purge()) > 0);

  const key = pictureIn(path);
  assert.ok(key !== undefined && picturePath(key) === path);
  const viewer = { userId: heidi.id, canModerate: false };
  assert.equal(await app.portico.community.reads.findPicture(key, viewer), undefined);
  assert.equal(await app.portico.community.reads.uploadedBytes(heidi.id), 0);
});
