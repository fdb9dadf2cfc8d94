// What operators and moderators see of a text that waits for approval.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { markdownOf, picturePath, smallPicturePath } from '../../../src/community/picture.ts';
import type { NewPicture } from '../../../src/community/picture-store.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const mona = await member(app, 'mona');
await app.portico.identity.writes.setRole(byServer(app.portico.clock), mona.id, 'moderator');
const settings = await olivia.browser.read('/operator/guests');
await olivia.browser.submit(settings, '/operator/guests', { approval: 'newcomers' });
const QUEUE = '/operator/waiting';

test('The queue shows all that an approval publishes: the category, the tags, and the pictures, which nobody else sees', async () => {
  const paula = await member(app, 'paula');
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .webp()
    .toBuffer();
  const pictureOf = (digit: string): NewPicture => ({
    digest: digit.repeat(32),
    type: 'image/webp',
    width: 900,
    height: 600,
    image,
    smaller: [{ width: 320, image }],
  });
  const [described, bare] = [pictureOf('a'), pictureOf('b')];
  for (const picture of [described, bare]) {
    const by = byMember(paula, app.portico.clock);
    await app.portico.community.writes.addUpload(by, picture, false);
  }
  const body = `I am new.\n\n${markdownOf(described, 'A [red] *barn*')}\n\n[here](${picturePath(bare)})`;
  const tags = 'buy-pills-at-evil-shop, olivia-is-a-crook';
  const form = await paula.browser.read('/write');
  await paula.browser.submit(form, '/write', { title: 'Hello', body, tags, action: 'publish' });

  for (const { browser } of [olivia, mona]) {
    const page = await browser.read(QUEUE);
    assert.match(page, /Post ·\s+General ·/);
    for (const tag of tags.split(', ')) assert.ok(page.includes(`<span>#${tag}</span>`), tag);
    assert.match(page, /alt="A \[red\] \*barn\*"[\s\S]*>A \[red\] \*barn\*<[\s\S]*alt="No description"/);
    for (const picture of [described, bare]) {
      const small: string = smallPicturePath(picture, 320);
      assert.ok(page.includes(`href="${picturePath(picture)}"`) && page.includes(`src="${small}"`), small);
      assert.equal((await browser.open(small)).status, 200);
      assert.equal((await new Browser(app.url).open(small)).status, 404);
    }
  }
});
