// The picture that previews of links to a post show: the first of its text, or the card.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byOperator } from '../../../src/audit/doer.ts';
import { removeContent } from '../../../src/community/moderation.ts';
import { removePost } from '../../../src/community/post.ts';
import { write } from '../../../src/community/writing.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { metaOf, thingOf } from '../../support/head.ts';
import { member, publish } from '../../support/people.ts';
import { drawPicture } from './picture-form.ts';
import { uploadedPath } from './text-picture-form.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
const olivia = await member(app, 'olivia', { isOperator: true });
const bob = await member(app, 'bob');
const visitor = new Browser(app.url);

const PICTURE = ['og:image', 'og:image:width', 'og:image:height', 'og:image:alt', 'twitter:card'];

async function pictureOn(path: string): Promise<(string | undefined)[]> {
  const meta = metaOf(await visitor.read(path));
  return PICTURE.map((name) => meta.get(name));
}

test('A post with pictures shares the first one, with its size and its description', async () => {
  const small = await uploadedPath(bob.browser, await drawPicture('#0a0', 800, 500));
  const wide = await uploadedPath(bob.browser, await drawPicture('#a00', 1600, 900));
  const one = await publish(
    portico,
    bob,
    'One',
    `Words.\n\n![A "green" <hill> & more](${small})\n\n![](${wide})`,
  );
  const two = await publish(portico, bob, 'Two', `![](${wide})`);

  const shared = await pictureOn(`/posts/${one}`);
  const narrowed = await pictureOn(`/posts/${two}`);

  assert.deepEqual(shared, [
    `${app.url}${small}`,
    '800',
    '500',
    'A "green" <hill> & more',
    'summary_large_image',
  ]);
  assert.deepEqual(narrowed, [
    `${app.url}${wide.replace('.webp', '-1120.webp')}`,
    '1120',
    '630',
    undefined,
    'summary_large_image',
  ]);
  assert.equal(thingOf(await visitor.read(`/posts/${one}`), 'BlogPosting').image, `${app.url}${small}`);
  for (const [address = ''] of [shared, narrowed]) {
    assert.equal((await visitor.open(address.slice(app.url.length))).status, 200);
  }
});

test('A picture that is too small for a preview, or elsewhere, leaves the card', async () => {
  const icon = await uploadedPath(bob.browser, await drawPicture('#00a', 120, 600));
  const tiny = await publish(portico, bob, 'Tiny', `![A line](${icon})`);
  const foreign = await publish(portico, bob, 'Foreign', '![A hill](https://other.example/a.png)');

  for (const id of [tiny, foreign]) {
    const [image] = await pictureOn(`/posts/${id}`);
    assert.ok(image?.startsWith(`${app.url}/cards/posts/`), `${image}`);
  }
});

test('Drafts and removed posts name no picture, and nobody else can load it', async () => {
  const upload = async (colour: string) => uploadedPath(bob.browser, await drawPicture(colour));
  const [draft, own, removed] = [await upload('#111'), await upload('#222'), await upload('#333')];
  const text = { title: 'Draft', body: `![Secret](${draft})`, categoryId: 1 };
  const by = byMember(bob, portico.clock);
  const written = await write(by, portico.community, { authorId: bob.id, text, status: 'draft' });
  assert.ok('id' in written);
  const gone = await publish(portico, bob, 'Own', `![Secret](${own})`);
  await removePost(by, portico.community, gone);
  const hidden = await publish(portico, bob, 'Removed', `![Secret](${removed})`);
  await removeContent(
    byOperator(olivia, portico.clock),
    portico.community,
    { postId: hidden, commentId: undefined },
    'Off',
  );

  const pages = await Promise.all([
    bob.browser.read(`/posts/${written.id}`),
    olivia.browser.read(`/posts/${hidden}`),
  ]);

  for (const page of pages) assert.equal(metaOf(page).get('og:image'), undefined);
  for (const id of [written.id, gone, hidden]) {
    const answer = await visitor.open(`/posts/${id}`);
    assert.equal(answer.status, 404);
    assert.doesNotMatch(await answer.text(), /og:image|Secret/);
  }
  for (const path of [draft, own, removed]) assert.equal((await visitor.open(path)).status, 404);
});
