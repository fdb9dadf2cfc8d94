import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byModerating, byServer } from '../../src/audit/doer.ts';
import {
  categoryNamed,
  deleteCategory,
  describeCategory,
  MOST_CATEGORIES,
  mergeCategory,
  moveCategoryUp,
  renameCategory,
  slugOf,
} from '../../src/community/category.ts';
import type { Community } from '../../src/community/community.ts';
import type { Category } from '../../src/community/store.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { openMemory, type TestScope } from '../support/databases.ts';
import { portsOf } from '../support/ports.ts';
import { plainRenderer } from '../support/renderer.ts';
import { openForum } from './forum.ts';

const SERVER = byServer(() => 0);

const SLUGS: [name: string, slug: string][] = [
  ['General', 'general'],
  ['How to: Arches & Vaults', 'how-to-arches-vaults'],
  ['建筑 笔记', '建筑-笔记'],
  ['Ｆｕｌｌ width', 'full-width'],
  ['C++', 'c'],
  ['!?', 'category'],
];

for (const [name, slug] of SLUGS) {
  test(`the category "${name}" has the address ${slug}`, () => {
    assert.equal(slugOf(name), slug);
  });
}

test('a category is found by its name in upper or lower case, and created if there is none', async (t) => {
  const community = await openCommunity(t);

  const general = await categoryNamed(SERVER, community, ' general ');
  const category = await created(community, 'Arches');
  const again = await categoryNamed(SERVER, community, 'ARCHES');

  assert.deepEqual(general, { id: 1, slug: 'general', name: 'General', description: '' });
  assert.deepEqual([category.slug, category.name], ['arches', 'Arches']);
  assert.deepEqual(again, category);
});

test('a name with half of an emoji is stored as one category, with a replacement character', async (t) => {
  const community = await openCommunity(t);

  const category = await created(community, '\ud83dx');
  const again = await categoryNamed(SERVER, community, '\ud83dx');

  assert.equal(category.name, '\ufffdx');
  assert.deepEqual(again, category);
  assert.equal((await community.reads.categories()).length, 2);
});

test('there can be 100 categories, also if all their names have the same slug', async (t) => {
  const community = await openCommunity(t);
  const nameOf = (number: number) => `C${'+'.repeat(number % 15)}${'-'.repeat(Math.floor(number / 15))}`;
  for (let number = 1; number < MOST_CATEGORIES; number += 1) {
    assert.equal(typeof (await categoryNamed(SERVER, community, nameOf(number))), 'object');
  }

  assert.equal(await categoryNamed(SERVER, community, nameOf(MOST_CATEGORIES)), 'too_many');
  assert.equal((await created(community, nameOf(1))).name, nameOf(1));
  assert.equal(await deleteCategory(SERVER, community, 'c-7'), undefined);
  assert.equal((await created(community, 'Bread')).slug, 'bread');
});

test('a moderator changes categories a hundred times an hour, and operators as often as they like', async (t) => {
  const { community, alice, bob, setClock } = await openForum(t);
  const mona = () => byModerating({ id: bob, isOperator: false }, community.clock);
  const olivia = byModerating({ id: alice, isOperator: true }, community.clock);
  await categoryNamed(mona(), community, 'Craft');
  await categoryNamed(mona(), community, 'Food');
  for (let count = 1; count <= 49; count += 1) {
    assert.equal(await moveCategoryUp(mona(), community, 'food'), undefined);
    assert.equal(await moveCategoryUp(mona(), community, 'craft'), undefined);
  }
  const before = await community.reads.categories();

  assert.deepEqual(
    [
      await categoryNamed(mona(), community, 'Music'),
      await renameCategory(mona(), community, 'craft', 'Crafts'),
      await describeCategory(mona(), community, 'craft', 'Things to make.'),
      await moveCategoryUp(mona(), community, 'food'),
      await mergeCategory(mona(), community, { from: 'craft', to: 'food' }),
      await deleteCategory(mona(), community, 'craft'),
    ],
    Array(6).fill('too_fast'),
  );
  assert.deepEqual(await community.reads.categories(), before);
  assert.equal(await renameCategory(olivia, community, 'craft', 'Crafts'), undefined);
  setClock(HOUR);
  assert.equal(await deleteCategory(mona(), community, 'craft'), undefined);
});

test('two names with the same slug are two categories', async (t) => {
  const community = await openCommunity(t);

  const c = await created(community, 'C');
  const plus = await created(community, 'C++');
  const sharp = await created(community, 'C#');

  assert.deepEqual([c.slug, plus.slug, sharp.slug], ['c', 'c-2', 'c-3']);
  assert.deepEqual(await categoryNamed(SERVER, community, 'c++'), plus);
});

test('no category has an empty name, a long one, or one with hidden characters', async (t) => {
  const community = await openCommunity(t);

  for (const name of ['', '  ', 'x'.repeat(41), 'a\u200Bb', '\u2800', 'a\nb']) {
    assert.equal(await categoryNamed(SERVER, community, name), 'name');
  }
});

async function created(community: Community, name: string): Promise<Category> {
  const category = await categoryNamed(SERVER, community, name);
  if (typeof category === 'string') throw new Error(category);
  return category;
}

async function openCommunity(scope: TestScope): Promise<Community> {
  const ports = portsOf(communityStore(await openMemory(scope)));
  return {
    ...ports,
    clock: () => 0,
    renderer: plainRenderer,
    textsToApprove: () => 0,
    membersNamed: async () => new Map(),
    pictures: { files: undefined, mostPerDay: 0, mostBytes: 0, onFailure() {} },
    maskCredentials: async (text: string) => text,
  };
}
