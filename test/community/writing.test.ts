// The limits on a member's pace. A text that is refused for any reason doesn't count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostText } from '../../src/community/post-text.ts';
import { publish, write } from '../../src/community/writing.ts';
import { openForum, text } from './forum.ts';

const REFUSED = text({ title: '', body: '' });

type Forum = Awaited<ReturnType<typeof openForum>>;

function byBob({ community, bob, as }: Forum, status: 'draft' | 'published', what: PostText = text()) {
  return write(as(bob), community, { authorId: bob, text: what, status });
}

test('a member begins at most sixty drafts an hour; refused ones do not count', async (t) => {
  const forum = await openForum(t);
  for (let n = 0; n < 60; n += 1) {
    assert.ok('problems' in (await byBob(forum, 'draft', REFUSED)));
    assert.ok('id' in (await byBob(forum, 'draft')), `draft ${n + 1}`);
  }

  const tooMany = await byBob(forum, 'draft');
  const wrong = await byBob(forum, 'draft', REFUSED);

  assert.deepEqual(tooMany, { retryAfterSeconds: 3600 });
  assert.ok('problems' in wrong);
});

test('a member publishes at most ten posts an hour, new ones or drafts', async (t) => {
  const forum = await openForum(t);
  const { community, bob, bobWrites, as } = forum;
  const draft = await bobWrites('draft');
  const publishDraft = (edited?: PostText) =>
    publish(as(bob), community, draft, edited && { text: edited, version: undefined });
  for (let n = 0; n < 10; n += 1) {
    assert.ok('problems' in (await byBob(forum, 'published', REFUSED)));
    assert.ok('problems' in ((await publishDraft(text({ title: '' }))) ?? {}));
    assert.ok('id' in (await byBob(forum, 'published')), `post ${n + 1}`);
  }

  const post = await byBob(forum, 'published');
  const edited = await publishDraft(text());
  const published = await publishDraft();

  assert.deepEqual([post, published], [{ retryAfterSeconds: 3600 }, { retryAfterSeconds: 3600 }]);
  const stored = await community.reads.findPost(draft);
  assert.equal(stored?.status, 'draft');
  assert.deepEqual(edited, { retryAfterSeconds: 3600, version: stored?.updatedAt });
});

test('the command line writes any number of posts for a member', async (t) => {
  const { community, bob } = await openForum(t);

  for (let n = 0; n < 12; n += 1) {
    const by = { kind: 'command-line', at: n } as const;
    const post = await write(by, community, { authorId: bob, text: text(), status: 'published' });
    assert.ok('id' in post, `post ${n + 1}`);
  }
});
