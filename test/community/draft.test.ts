// Drafts while they are written, perhaps in two places.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDraft, saveDraft } from '../../src/community/draft.ts';
import { editPost, postFor, publishDraft } from '../../src/community/post.ts';
import { NEW_YEAR, openForum, text } from './forum.ts';

test('a title or a text alone is enough for a draft, nothing at all is not', async (t) => {
  const { community, bob } = await openForum(t);

  const untitled = await addDraft(community, bob, text({ title: '' }));
  const empty = await addDraft(community, bob, text({ body: ' \n' }));
  const nothing = await addDraft(community, bob, text({ title: ' ', body: ' ' }));

  assert.ok('id' in untitled && 'id' in empty);
  assert.equal((await postFor(community, bob, empty.id))?.body, '');
  assert.deepEqual(nothing, { problems: { title: 'missing', body: 'missing' } });
  for (const { id } of [untitled, empty]) assert.equal(await publishDraft(community, bob, id), false);
});

test('a draft is too long, or holds what can not be seen, as little as a published post', async (t) => {
  const { community, bob } = await openForum(t);

  const refused = await addDraft(community, bob, text({ title: 'a\nb', body: 'x'.repeat(100_001) }));

  assert.deepEqual(refused, { problems: { title: 'hidden_characters', body: 'too_long' } });
});

test('a save that does not know of another one is told of it, and changes nothing', async (t) => {
  const { community, alice, bob, bobWrites } = await openForum(t);
  const id = await bobWrites('draft');

  const first = await saveDraft(community, bob, id, text({ title: 'here' }), NEW_YEAR);
  const second = await saveDraft(community, bob, id, text({ title: 'there' }), NEW_YEAR);

  assert.ok(first !== undefined && 'version' in first);
  assert.ok(second !== undefined && 'newer' in second);
  assert.equal(second.newer.title, 'here');
  const knowing = await saveDraft(community, bob, id, text({ title: 'there' }), second.newer.updatedAt);
  assert.ok(knowing !== undefined && 'version' in knowing);
  assert.notEqual(knowing.version, first.version);
  assert.equal((await postFor(community, bob, id))?.title, 'there');
  assert.equal(await saveDraft(community, alice, id, text(), NEW_YEAR), undefined);
});

test('what was published meanwhile is not saved as a draft', async (t) => {
  const { community, bob, bobWrites } = await openForum(t);
  const id = await bobWrites('draft');
  await publishDraft(community, bob, id);

  const saved = await saveDraft(community, bob, id, text({ title: '' }));

  assert.ok(saved !== undefined && 'newer' in saved);
  assert.equal((await postFor(community, bob, id))?.title, 'On arches');
});

test('an edit of a published post that does not know of another one is told of it', async (t) => {
  const { community, bob, bobWrites } = await openForum(t);
  const id = await bobWrites('published');
  await editPost(community, bob, id, text({ title: 'here' }), NEW_YEAR);

  const edited = await editPost(community, bob, id, text({ title: 'there' }), NEW_YEAR);

  assert.ok(edited !== undefined && 'newer' in edited);
  assert.equal((await postFor(community, bob, id))?.title, 'here');
});
