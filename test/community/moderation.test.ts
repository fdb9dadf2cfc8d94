// What bounds moderators: they don't decide about their own texts, and they remove at a pace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byModerating } from '../../src/audit/doer.ts';
import { removeContent, restoreContent } from '../../src/community/moderation.ts';
import { keepReported, openReportsFor, report } from '../../src/community/report.ts';
import { write } from '../../src/community/writing.ts';
import { openForum, text } from './forum.ts';

async function openCase(t: Parameters<typeof openForum>[0]) {
  const forum = await openForum(t);
  const { community, as, alice, bob } = forum;
  const publish = async (title: string) => {
    const written = await write(as(alice), community, {
      authorId: alice,
      text: text({ title }),
      status: 'published',
    });
    if (written === undefined || !('id' in written)) throw new Error('Nothing was published.');
    return { postId: written.id, commentId: undefined };
  };
  return {
    ...forum,
    publish,
    asModerator: (id: number) => byModerating({ id, isOperator: false }, community.clock),
    asOperator: byModerating({ id: bob, isOperator: true }, community.clock),
  };
}

test('a moderator neither sees nor decides the reports about their own post, nor restores it', async (t) => {
  const { community, as, alice, bob, publish, asModerator, asOperator } = await openCase(t);
  const subject = await publish('Mine');
  await report(as(bob), community, subject, { reason: 'spam', note: 'Alice sells arches.' });
  const alicia = asModerator(alice);

  assert.deepEqual(await openReportsFor(alicia, community, 10), []);
  assert.equal(await keepReported(alicia, community, subject), false);
  assert.equal(await removeContent(alicia, community, subject), 'own');
  assert.equal((await openReportsFor(asOperator, community, 10)).length, 1);
  assert.equal(await removeContent(asOperator, community, subject), undefined);
  assert.equal(await restoreContent(alicia, community, subject), false);
  assert.equal(await restoreContent(asOperator, community, subject), true);
});

test('a moderator removes a hundred posts and comments an hour, and operators as many as they like', async (t) => {
  const { community, bob, publish, asModerator, asOperator } = await openCase(t);
  const subject = await publish('Again and again');
  const removeAndRestore = async () => {
    const problem = await removeContent(asModerator(bob), community, subject);
    await restoreContent(asOperator, community, subject);
    return problem;
  };
  for (let count = 1; count <= 100; count += 1) assert.equal(await removeAndRestore(), undefined);

  assert.equal(await removeAndRestore(), 'too_fast');
  assert.equal(await removeContent(asOperator, community, subject), undefined);
});

test('the reason for a removal is one line without hidden characters', async (t) => {
  const { community, alice, publish, asOperator } = await openCase(t);
  const subject = await publish('A post');

  await removeContent(asOperator, community, subject, ' Spam.\r\n\u202ERead the rules. ');

  const [notification] = await community.reads.notificationsOf(alice, 1e9, 5);
  assert.equal(notification?.reason, 'Spam. Read the rules.');
});
