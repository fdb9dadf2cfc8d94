// The mark of the comments that the author of the post writes.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { comment, reply } from '../../../src/community/comment.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { person, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];

test('comments of the post’s author are marked as such, also on the page of all replies', async () => {
  const postId = await publish(portico, bob, 'On salt');
  const first = await comment(byMember(alice, portico.clock), portico.community, postId, 'How much?');
  assert.ok(first !== undefined && 'id' in first);
  await reply(byMember(bob, portico.clock), portico.community, first.id, 'Two grams.');

  for (const [language, mark] of [
    ['en', 'Author'],
    ['zh', '作者'],
  ] as const) {
    const marked = new RegExp(`<strong>(\\w+)</strong>\\s*</a>\\s*<span class="badge">${mark}</span>`, 'g');
    for (const path of [`/posts/${postId}/on-salt`, `/comments/${first.id}/replies`]) {
      const page = await new Browser(app.url, language).read(path);
      assert.deepEqual(
        [...page.matchAll(marked)].map(([, name]) => name),
        ['bob'],
        path,
      );
    }
  }
});
