// The categories, which operators and moderators order, describe, merge and delete.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byModerating, byServer } from '../../../src/audit/doer.ts';
import { moveCategoryUp } from '../../../src/community/category.ts';
import { openApp } from '../../support/app.ts';
import { formTokenIn } from '../../support/browser.ts';
import { member, publish } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());

const mona = await member(app, 'mona');
await portico.identity.writes.setRole(byServer(portico.clock), mona.id, 'moderator');
const bob = await member(app, 'bob');
for (const [slug, name] of [
  ['craft', 'Craft'],
  ['food', 'Food'],
] as const) {
  await portico.community.writes.ensureCategory(byServer(portico.clock), slug, name, 100);
}

const PATH = '/operator/categories';

async function change(fields: Record<string, string>): Promise<Response> {
  const token = formTokenIn(await mona.browser.read(PATH));
  return mona.browser.post(`${PATH}/change`, new URLSearchParams({ form_token: token, ...fields }));
}

async function slugs(): Promise<string[]> {
  return (await portico.community.reads.categories()).map(({ slug }) => slug);
}

test('A moderator describes a category, and readers see it', async () => {
  const token = formTokenIn(await mona.browser.read(PATH));
  const save = (description: string) =>
    mona.browser.post(
      PATH,
      new URLSearchParams({ form_token: token, slug: 'craft', name: 'Crafts', description }),
    );

  const tooLong = await save('d'.repeat(161));
  const saved = await save('Things to make.');

  assert.equal(tooLong.status, 400);
  const page = await tooLong.text();
  assert.match(page, /href="#description-2">Enter a description of one line/);
  assert.ok(page.includes('d'.repeat(161)));
  assert.equal(saved.status, 303);
  assert.match(await bob.browser.read('/categories/craft'), /Crafts[\s\S]*Things to make\./);
  assert.match(await bob.browser.read('/categories'), /Things to make\./);
  await save('Things to make.');
  const acts = await portico.audit.reads.auditEvents({
    limit: 10,
    subject: { kind: 'category', id: 'craft' },
  });
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['category.describe', 'category.rename'],
  );
});

test('A moderator puts the categories in another order', async () => {
  await change({ slug: 'food', change: 'up' });
  await change({ slug: 'food', change: 'up' });
  const first = await change({ slug: 'food', change: 'up' });

  assert.equal(first.headers.get('location'), `${PATH}?done=up`);
  assert.deepEqual(await slugs(), ['food', 'general', 'craft']);
  assert.match(await bob.browser.read('/categories'), /Food[\s\S]*General[\s\S]*Crafts/);
});

test('A category with posts is merged into another, after a question, and its old address leads there', async () => {
  const post = await publish(portico, bob, 'On bread');

  const refused = await change({ slug: 'general', change: 'delete' });
  const question = await change({ slug: 'general', into: 'food', change: 'merge' });
  const page = await question.text();
  assert.equal((await portico.community.reads.findPost(post))?.categorySlug, 'general');
  const merged = await mona.browser.submit(page, `${PATH}/change`);

  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /Not deleted: the category has posts[\s\S]*Merge it into another/);
  assert.match(page, /Merge “General” into “Food”\?/);
  assert.equal(merged.headers.get('location'), `${PATH}?done=merged`);
  assert.equal((await portico.community.reads.findPost(post))?.categorySlug, 'food');
  const old = await bob.browser.open('/categories/general');
  assert.deepEqual([old.status, old.headers.get('location')], [301, '/categories/food']);
});

test('An empty category is deleted', async () => {
  const answer = await change({ slug: 'craft', change: 'delete' });

  assert.equal(answer.headers.get('location'), `${PATH}?done=deleted`);
  assert.deepEqual(await slugs(), ['food']);
  assert.equal((await bob.browser.open('/categories/craft')).status, 404);
});

test('A hundredth category is the last one, and a moderator who changes very many is told to wait', async () => {
  const { community } = portico;
  const add = async (name: string) => {
    const token = formTokenIn(await mona.browser.read(PATH));
    return mona.browser.post(PATH, new URLSearchParams({ form_token: token, slug: '', name }));
  };
  for (let number = (await slugs()).length; number < 100; number += 1) {
    await community.writes.ensureCategory(byServer(portico.clock), `c${number}`, `C${number}`, 100);
  }

  const full = await add('One more');
  await change({ slug: 'c99', change: 'delete' });
  const added = await add('One more');
  const by = byModerating({ id: mona.id, isOperator: false }, portico.clock);
  for (let count = 0; count < 100; count += 1) await moveCategoryUp(by, community, count % 2 ? 'c50' : 'c51');
  const tooFast = await change({ slug: 'c98', change: 'delete' });

  assert.equal(full.status, 409);
  assert.match(await full.text(), /There are 100 categories, the most there can be\./);
  assert.equal(added.headers.get('location'), `${PATH}?done=saved`);
  assert.equal(tooFast.status, 429);
  assert.match(await tooFast.text(), /changed very many categories this hour/);
  assert.ok((await slugs()).includes('c98'));
});
