import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byServer } from '../../src/audit/doer.ts';
import { categoryNamed, slugOf } from '../../src/community/category.ts';
import { communityStore } from '../../src/storage/community/community-store.ts';
import { openMemory, type TestScope } from '../support/databases.ts';
import { portsOf } from '../support/ports.ts';
import { plainRenderer } from '../support/renderer.ts';

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
  const category = await categoryNamed(SERVER, community, 'Arches');
  const again = await categoryNamed(SERVER, community, 'ARCHES');

  assert.deepEqual(general, { id: 1, slug: 'general', name: 'General', description: '' });
  assert.deepEqual([category?.slug, category?.name], ['arches', 'Arches']);
  assert.deepEqual(again, category);
});

test('a name with half of an emoji is stored as one category, with a replacement character', async (t) => {
  const community = await openCommunity(t);

  const category = await categoryNamed(SERVER, community, '\ud83dx');
  const again = await categoryNamed(SERVER, community, '\ud83dx');

  assert.equal(category?.name, '\ufffdx');
  assert.deepEqual(again, category);
  assert.equal((await community.reads.categories()).length, 2);
});

test('of names with the same slug there can be 100', async (t) => {
  const community = await openCommunity(t);
  const nameOf = (number: number) => `C${'+'.repeat(number % 15)}${'-'.repeat(Math.floor(number / 15))}`;
  for (let number = 0; number < 100; number += 1) {
    assert.ok(await categoryNamed(SERVER, community, nameOf(number)));
  }

  assert.equal(await categoryNamed(SERVER, community, nameOf(100)), undefined);
});

test('two names with the same slug are two categories', async (t) => {
  const community = await openCommunity(t);

  const c = await categoryNamed(SERVER, community, 'C');
  const plus = await categoryNamed(SERVER, community, 'C++');
  const sharp = await categoryNamed(SERVER, community, 'C#');

  assert.deepEqual([c?.slug, plus?.slug, sharp?.slug], ['c', 'c-2', 'c-3']);
  assert.deepEqual(await categoryNamed(SERVER, community, 'c++'), plus);
});

test('no category has an empty name, a long one, or one with hidden characters', async (t) => {
  const community = await openCommunity(t);

  for (const name of ['', '  ', 'x'.repeat(41), 'a\u200Bb', '\u2800', 'a\nb']) {
    assert.equal(await categoryNamed(SERVER, community, name), undefined);
  }
});

async function openCommunity(scope: TestScope) {
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
