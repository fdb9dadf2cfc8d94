// Saving drafts and posts, perhaps in two places at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Community } from '../../src/community/community.ts';
import { postFor, removePost } from '../../src/community/post.ts';
import type { PostText } from '../../src/community/post-text.ts';
import { htmlOf, renewRenderings } from '../../src/community/rendering.ts';
import { publish, save, write } from '../../src/community/writing.ts';
import { HOUR, type Timestamp } from '../../src/lib/clock.ts';
import { plainRenderer } from '../support/renderer.ts';
import { NEW_YEAR, openForum, text } from './forum.ts';

function edit(more: Partial<PostText>, version?: Timestamp) {
  return { text: text(more), version };
}

function draft(id: number) {
  return { id, status: 'draft' } as const;
}

test('a title or a text alone is enough for a draft, nothing at all is not', async (t) => {
  const { community, bob, as } = await openForum(t);
  const begin = (more: Partial<PostText>) =>
    write(as(bob), community, { authorId: bob, text: text(more), status: 'draft' });

  const untitled = await begin({ title: '' });
  const empty = await begin({ body: ' \n' });
  const nothing = await begin({ title: ' ', body: ' ' });

  assert.ok('id' in untitled && 'id' in empty);
  assert.equal((await postFor(community, bob, empty.id))?.body, '');
  assert.deepEqual(nothing, { problems: { title: 'missing', body: 'missing' } });
  assert.deepEqual(await publish(as(bob), community, untitled.id), { problems: { title: 'missing' } });
  assert.deepEqual(await publish(as(bob), community, empty.id), { problems: { body: 'missing' } });
});

test('a draft that is too long or has hidden characters is refused as a published post is', async (t) => {
  const { community, bob, as } = await openForum(t);

  const long = text({ title: 'a\nb', body: 'x'.repeat(100_001) });
  const result = await write(as(bob), community, { authorId: bob, text: long, status: 'draft' });

  assert.deepEqual(result, { problems: { title: 'hidden_characters', body: 'too_long' } });
});

test('a save that does not know the newest version changes nothing and returns that version', async (t) => {
  const { community, alice, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft');

  const first = await save(as(bob), community, draft(id), edit({ title: 'here' }, NEW_YEAR));
  const second = await save(as(bob), community, draft(id), edit({ title: 'there' }, NEW_YEAR));

  assert.ok(first !== undefined && 'version' in first);
  assert.ok(second !== undefined && 'newer' in second);
  assert.equal(second.newer.title, 'here');
  const third = await save(as(bob), community, draft(id), edit({ title: 'there' }, second.newer.updatedAt));
  assert.ok(third !== undefined && 'version' in third);
  assert.notEqual(third.version, first.version);
  assert.equal((await postFor(community, bob, id))?.title, 'there');
  assert.equal(await save(as(alice), community, draft(id), edit({}, NEW_YEAR)), undefined);
});

test('a draft that was published meanwhile is not saved as a draft', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft');
  await publish(as(bob), community, id);

  const saved = await save(as(bob), community, draft(id), edit({ title: '' }));

  assert.ok(saved !== undefined && 'newer' in saved);
  assert.equal((await postFor(community, bob, id))?.title, 'On arches');
});

test('an edit of a published post that does not know the newest version returns that version', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const post = { id: await bobWrites('published'), status: 'published' } as const;
  await save(as(bob), community, post, edit({ title: 'here' }, NEW_YEAR));

  const saved = await save(as(bob), community, post, edit({ title: 'there' }, NEW_YEAR));

  assert.ok(saved !== undefined && 'newer' in saved);
  assert.equal((await postFor(community, bob, post.id))?.title, 'here');
});

test('publishing with an edit saves the text, even if it can’t be published', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const [refusedId, id] = [await bobWrites('draft'), await bobWrites('draft')];

  const refused = await publish(as(bob), community, refusedId, edit({ title: '' }, NEW_YEAR));
  const published = await publish(as(bob), community, id, edit({ title: 'On domes' }, NEW_YEAR));
  const newer = await publish(as(bob), community, refusedId, edit({ title: 'On vaults' }, NEW_YEAR));

  const stored = await postFor(community, bob, refusedId);
  assert.deepEqual(refused, { problems: { title: 'missing' }, version: stored?.updatedAt });
  assert.deepEqual([stored?.status, stored?.title], ['draft', '']);
  assert.deepEqual(published, { id });
  const post = await postFor(community, undefined, id);
  assert.equal(post?.title, 'On domes');
  assert.ok(newer !== undefined && 'newer' in newer);
});

test('publishing with an edit reads the categories once', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft');
  let count = 0;
  const reads = {
    ...community.reads,
    categories() {
      count += 1;
      return community.reads.categories();
    },
  };

  await publish(as(bob), { ...community, reads }, id, edit({ title: 'On domes' }, NEW_YEAR));

  assert.equal(count, 1);
});

test('a draft whose text was changed at the moment of its publication stays a draft with the newer text', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft');
  const writes: typeof community.writes = {
    ...community.writes,
    async publishDraft(...publication) {
      await save(as(bob), community, draft(id), edit({ title: 'Newer' }));
      return community.writes.publishDraft(...publication);
    },
  };

  const asStored = await publish(as(bob), { ...community, writes }, id);
  const edited = await publish(as(bob), { ...community, writes }, id, edit({}));

  for (const result of [asStored, edited]) {
    assert.ok(result !== undefined && 'newer' in result);
    assert.deepEqual([result.newer.status, result.newer.title], ['draft', 'Newer']);
  }
});

test('a member can have 200 drafts and as many removed ones; a published or removed draft makes room', async (t) => {
  const { community, bob, bobWrites, as, setClock } = await openForum(t);
  const begin = () => write(as(bob), community, { authorId: bob, text: text(), status: 'draft' });
  const refused = { problems: { body: 'too_many_drafts' } };
  const ids: number[] = [];
  for (let count = 0; count < 200; count += 1) ids.push(await bobWrites('draft'));

  assert.deepEqual(await begin(), refused);
  const last = ids.pop() ?? 0;
  assert.ok('id' in (await write(as(bob), community, { authorId: bob, text: text(), status: 'published' })));
  await publish(as(bob), community, last);
  assert.ok('id' in (await begin()));
  setClock(HOUR);
  for (const id of ids) await removePost(as(bob), community, id);
  await bobWrites('draft').then((id) => removePost(as(bob), community, id));
  assert.deepEqual(await begin(), refused);
});

test('the HTML of a draft is not stored, and that of a published post is, from its first reader on', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('draft');
  const read = async () => {
    const post = await postFor(community, bob, id);
    assert.ok(post !== undefined);
    const html = await htmlOf(community, 'post', post, as(bob));
    return [html, (await postFor(community, bob, id))?.html];
  };
  const rendered = (await plainRenderer.render(text().body)) as { html: string };

  const unsaved = await read();
  await save(as(bob), community, draft(id), edit({}));
  const saved = await read();
  const background = await renewRenderings(community);
  await publish(as(bob), community, id);
  const published = await read();

  assert.deepEqual([unsaved, saved], Array(2).fill([rendered.html, undefined]));
  assert.equal(background, 0);
  assert.deepEqual(published, [rendered.html, rendered.html]);
});

test('twenty posts of a newcomer can wait for approval, and one that waits can be sent again', async (t) => {
  const forum = await openForum(t);
  const { bob, as, setClock, bobWrites } = forum;
  const community: Community = { ...forum.community, textsToApprove: () => 5 };
  const send = () => write(as(bob), community, { authorId: bob, text: text(), status: 'published' });
  const refused = { problems: { body: 'too_many_waiting' } };
  const ids: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    setClock(Math.floor(count / 5) * HOUR);
    const sent = await send();
    assert.ok('id' in sent);
    ids.push(sent.id);
  }
  setClock(5 * HOUR);

  assert.deepEqual(await send(), refused);
  const draft = await bobWrites('draft');
  assert.deepEqual(await publish(as(bob), community, draft), refused);
  const [first = 0] = ids;
  assert.deepEqual(await publish(as(bob), community, first), { id: first, isWaiting: true });
  await removePost(as(bob), community, first);
  assert.deepEqual(await publish(as(bob), community, draft), { id: draft, isWaiting: true });
});
