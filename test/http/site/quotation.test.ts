// Quoting the comment that a reply answers, without scripts.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { comment } from '../../../src/community/comment.ts';
import { quotation } from '../../../src/http/site/reactions/quotation.ts';
import { openApp } from '../../support/app.ts';
import { browserOf, person, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
const asBob = await browserOf(app, 'bob');

const textIn = (page: string) => /<textarea[^>]*>\n?([^<]*)<\/textarea>/.exec(page)?.[1];

test('the button quotes the comment above what the member has written, and posts nothing', async () => {
  const postId = await publish(portico, alice, 'On paste');
  const done = await comment(
    byMember(alice, portico.clock),
    portico.community,
    postId,
    'Rye?\n\nOr *wheat*.',
  );
  assert.ok(done !== undefined && 'id' in done);
  const path = `/comments/${done.id}/reply`;

  const page = await asBob.read(path);
  const answer = await asBob.submit(page, path, { body: 'Wheat.', action: 'quote' });

  assert.match(page, /<button name="action" value="quote" formnovalidate>Quote the comment<\/button>/);
  assert.equal(answer.status, 200);
  assert.equal(textIn(await answer.text()), '&gt; Rye?\n&gt;\n&gt; Or *wheat*.\n\nWheat.');
  assert.equal((await portico.community.reads.findPost(postId))?.commentCount, 1);
  assert.doesNotMatch(await asBob.read(`/posts/${postId}`), /value="quote"/);
  assert.ok(bob);
});

test('a quotation has no pictures, mentions nobody, and ends after 1,000 characters', () => {
  assert.equal(
    quotation('@carol sees ![bread](/pictures/x.webp), and \\@dave not'),
    '> \\@carol sees [bread](/pictures/x.webp), and \\@dave not',
  );
  assert.equal(
    quotation(String.raw`\\@carol \\\@dave \\\\@erin`),
    String.raw`> \\\@carol \\\@dave \\\\\@erin`,
  );
  assert.equal(quotation('面'.repeat(1001)), `> ${'面'.repeat(1000)}…`);
  assert.equal(quotation(`${'a'.repeat(999)}🍞🍞`), `> ${'a'.repeat(999)}🍞…`);
});
