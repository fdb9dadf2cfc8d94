// What bounds those who change tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byModerating } from '../../src/audit/doer.ts';
import { hideTag, mergeTag, renameTag, showTag } from '../../src/community/tag-change.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { openForum } from './forum.ts';

test('a moderator changes tags a hundred times an hour, and operators as often as they like', async (t) => {
  const { community, alice, bob, bobWrites, setClock } = await openForum(t);
  await bobWrites('published', { tags: 'rye, wheat' });
  const tagNamed = async (name: string) => {
    const tag = await community.reads.findTag(name);
    assert.ok(tag);
    return tag;
  };
  const [rye, wheat] = [await tagNamed('rye'), await tagNamed('wheat')];
  const mona = () => byModerating({ id: bob, isOperator: false }, community.clock);
  const olivia = byModerating({ id: alice, isOperator: true }, community.clock);
  for (let count = 1; count <= 50; count += 1) {
    assert.equal(await hideTag(mona(), community, rye), undefined);
    assert.equal(await showTag(mona(), community, rye), undefined);
  }

  assert.deepEqual(
    [
      await hideTag(mona(), community, rye),
      await showTag(mona(), community, rye),
      await renameTag(mona(), community, rye, 'spelt'),
      await mergeTag(mona(), community, rye, wheat),
    ],
    ['too_fast', 'too_fast', 'too_fast', 'too_fast'],
  );
  assert.equal((await tagNamed('rye')).hiddenAt, undefined);
  assert.equal(await hideTag(olivia, community, rye), undefined);
  setClock(HOUR);
  assert.equal(await mergeTag(mona(), community, rye, wheat), undefined);
});
