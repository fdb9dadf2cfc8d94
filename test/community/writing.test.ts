// Writing within bounds: what is refused, for whatever reason, counts nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginDraft, publishOwn, writeOwn } from '../../src/community/writing.ts';
import { openForum, text } from './forum.ts';

const REFUSED = text({ title: '', body: '' });

test('sixty drafts are the most within an hour, and one that was refused is none of them', async (t) => {
  const { community, bob } = await openForum(t);
  for (let n = 0; n < 60; n += 1) {
    assert.ok('problems' in (await beginDraft(community, bob, REFUSED)));
    assert.ok('id' in (await beginDraft(community, bob, text())), `draft ${n + 1}`);
  }

  const byScript = await beginDraft(community, bob, text());
  const byForm = await writeOwn(community, bob, text(), 'draft');
  const wrong = await beginDraft(community, bob, REFUSED);

  for (const refused of [byScript, byForm]) assert.deepEqual(refused, { retryAfterSeconds: 3600 });
  assert.ok('problems' in wrong);
});

test('ten posts are the most within an hour, written at once or published from a draft', async (t) => {
  const { community, bob, bobWrites } = await openForum(t);
  const draft = await bobWrites('draft');
  for (let n = 0; n < 10; n += 1) {
    assert.ok('problems' in (await writeOwn(community, bob, REFUSED, 'published')));
    assert.ok('problems' in ((await publishOwn(community, bob, draft, REFUSED)) ?? {}));
    assert.ok('id' in (await writeOwn(community, bob, text(), 'published')), `post ${n + 1}`);
  }

  const post = await writeOwn(community, bob, text(), 'published');
  const published = await publishOwn(community, bob, draft, text());

  for (const refused of [post, published]) assert.deepEqual(refused, { retryAfterSeconds: 3600 });
  assert.equal((await community.reads.findPost(draft))?.status, 'draft');
});
