// Rendering texts: in whose turn, and only when they are saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comment, editComment, reply } from '../../src/community/comment.ts';
import { preview } from '../../src/community/preview.ts';
import { save, write } from '../../src/community/writing.ts';
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
