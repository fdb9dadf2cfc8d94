// Rendering texts: in whose turn, and only when they are saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comment, editComment, reply } from '../../src/community/comment.ts';
import { preview } from '../../src/community/preview.ts';
import { htmlOf, renewRenderings } from '../../src/community/rendering.ts';
import { save, write } from '../../src/community/writing.ts';
import { unformatted } from '../../src/lib/markdown.ts';
import { plainRenderer } from '../support/renderer.ts';
import { openForum, text } from './forum.ts';

test('each text that a member writes is rendered in the turn of this member', async (t) => {
  const { community: forum, bob, bobWrites, as } = await openForum(t);
  const callers: unknown[] = [];
  const renderer: typeof plainRenderer = {
    ...plainRenderer,
    render(markdown, caller) {
      callers.push(caller);
      return plainRenderer.render(markdown);
    },
  };
  const community = { ...forum, renderer };
  const id = await bobWrites('published');

  await preview(as(bob), community, text());
  await write(as(bob), community, { authorId: bob, text: text(), status: 'draft' });
  await save(as(bob), community, { id, status: 'published' }, { text: text(), version: undefined });
  const commented = await comment(as(bob), community, id, 'Well said.');
  assert.ok(commented !== undefined && 'id' in commented);
  await reply(as(bob), community, commented.id, 'Indeed.');
  await editComment(as(bob), community, commented.id, 'Very well said.');
  const byCommandLine = { kind: 'command-line', at: 0 } as const;
  await write(byCommandLine, community, { authorId: bob, text: text(), status: 'draft' });

  assert.deepEqual(callers, [bob, bob, bob, bob, bob, bob, undefined]);
});

test('a draft is rendered for its author 60 times a minute, and then shown as it was written', async (t) => {
  const { community: forum, bob, bobWrites, as } = await openForum(t);
  let count = 0;
  const renderer: typeof plainRenderer = {
    ...plainRenderer,
    render(markdown) {
      count += 1;
      return plainRenderer.render(markdown);
    },
  };
  const draft = await forum.reads.findPost(await bobWrites('draft'));
  assert.ok(draft !== undefined);

  const shown = new Set<string>();
  for (let view = 0; view < 70; view += 1) {
    shown.add(await htmlOf({ ...forum, renderer }, 'post', draft, as(bob)));
  }

  assert.equal(count, 60);
  assert.deepEqual([...shown].at(-1), unformatted(draft.body));
});

test('what lists tell about a post is stored with its text, and renewed with its HTML', async (t) => {
  const { community, bob, bobWrites, as } = await openForum(t);
  const id = await bobWrites('published', { body: '# Rye\n\nTwo days of patience.' });
  const factsOf = async () => {
    const post = await community.reads.findPost(id);
    return [post?.excerpt, post?.language, post?.readingMinutes];
  };
  const first = await factsOf();
  const edited = { ...text(), body: '面'.repeat(1200), excerpt: '', words: '', htmlVersion: 1 };

  await community.writes.editPost(as(bob), id, edited);
  const second = await factsOf();
  await renewRenderings(community);

  assert.deepEqual(first, ['Two days of patience.', 'en', 1]);
  assert.deepEqual(second, ['', undefined, undefined]);
  assert.deepEqual(await factsOf(), [`${'面'.repeat(199)}…`, 'zh', 3]);
});
