// Tags: writing them, and finding posts by them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { storedTags, tagsIn } from '../../../src/community/tag.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { browserOf, person } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const { reads, writes } = portico.community;
const alice = await person(portico, 'alice');
await person(portico, 'bob');
const asAlice = await browserOf(app, 'alice');
const asBob = await browserOf(app, 'bob');

const POST = { title: 'On bread', body: 'Rye.', category: '1' };

/** Send the form of a new post as bob. Returns the answer and the post's id. */
async function send(fields: Record<string, string>): Promise<{ answer: Response; id: number }> {
  const answer = await asBob.submit(await asBob.read('/write'), '/write', { ...POST, ...fields });
  const [, id] = /\/posts\/(\d+)/.exec(answer.headers.get('location') ?? '') ?? [];
  return { answer, id: Number(id) };
}

async function storedAt(id: number): Promise<string[]> {
  return tagsIn((await reads.findPost(id)) ?? { tags: storedTags('none') });
}

test('An author gives a post tags, and readers find it by them', async () => {
  const { id } = await send({ action: 'publish', tags: 'Bread, 面包，bread, #Slow Food' });

  const visitor = new Browser(app.url);
  const post = await visitor.read(`/posts/${id}/on-bread`);
  const tag = await visitor.read('/tags/slow-food');
  const chinese = await visitor.read(`/tags/${encodeURIComponent('面包')}`);
  const list = await visitor.read('/tags');

  assert.deepEqual(await storedAt(id), ['bread', '面包', 'slow-food']);
  for (const page of [post, await visitor.read('/popular'), list]) {
    assert.ok(page.includes('<a rel="tag" href="/tags/slow-food">#slow-food</a>'));
    assert.ok(page.includes(`<a rel="tag" href="/tags/${encodeURIComponent('面包')}">#面包</a>`));
  }
  for (const page of [tag, chinese]) assert.match(page, /On bread/);
  assert.match(tag, /<h1>#slow-food<\/h1>[\s\S]*1 post/);
  assert.match(await visitor.read('/categories'), /href="\/tags"/);
});

test('A tag has one address, however it is spelled, and one that no post has is not found', async () => {
  const visitor = new Browser(app.url);

  const other = await visitor.open('/tags/Slow%20Food');
  const statuses = [];
  for (const name of ['none', '%20', '%3Cscript%3E', 'a,b', '%ED%A0%80', 'x'.repeat(500)]) {
    statuses.push((await visitor.open(`/tags/${name}`)).status);
  }

  assert.deepEqual([other.status, other.headers.get('location')], [301, '/tags/slow-food']);
  assert.equal(other.headers.get('cache-control'), 'no-store');
  assert.deepEqual([...new Set(statuses)], [404]);
});

test('New and popular posts, and the languages, stay inside a tag', async () => {
  await send({ action: 'publish', title: 'Ovens', body: 'About the bread and the oven.', tags: 'kitchen' });
  await send({ action: 'publish', title: '烤箱', body: '今天用烤箱做面包。', tags: 'kitchen' });
  const visitor = new Browser(app.url);
  const titlesIn = (page: string) =>
    [...page.matchAll(/<h2><a [^>]*>([^<]*)<\/a>/g)].map(([, title]) => title).toSorted();

  const newest = await visitor.read('/tags/kitchen');
  const popular = await visitor.read('/tags/kitchen/popular');
  const chinese = await visitor.read('/tags/kitchen?language=zh');

  assert.deepEqual(
    [titlesIn(newest), titlesIn(popular)],
    [
      ['Ovens', '烤箱'],
      ['Ovens', '烤箱'],
    ],
  );
  assert.deepEqual(titlesIn(chinese), ['烤箱']);
  assert.deepEqual(titlesIn(await visitor.read('/tags/kitchen/popular?language=en')), ['Ovens']);
  assert.match(chinese, /href="\/tags\/kitchen\/popular\?language=zh">Popular/);
  assert.match(chinese, /<meta name="robots" content="noindex">/);
  assert.match(popular, /href="\/tags\/kitchen">New</);
  assert.match(await visitor.read('/tags/kitchen?language=other'), /No posts in this language yet/);
  const other = await visitor.open('/tags/Kitchen/popular?language=zh');
  assert.equal(other.headers.get('location'), '/tags/kitchen/popular?language=zh');
});

test('Tags that can not be stored are named, and nothing that was typed is lost', async () => {
  for (const [tags, problem] of [
    ['a,b,c,d,e,f', 'A post can have at most 5 tags.'],
    ['x'.repeat(31), 'A tag can have at most 30 characters.'],
    ['"><script>', 'A tag can have letters, digits and hyphens.'],
  ] as const) {
    const { answer } = await send({ action: 'publish', tags });
    const page = await answer.text();

    assert.equal(answer.status, 400);
    assert.ok(page.includes(`<a href="#tags">${problem}`), problem);
    assert.match(page, /value="On bread"/);
    assert.ok(
      page.includes(
        `value="${tags.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`,
      ),
    );
    assert.doesNotMatch(page, /<script>/);
  }
});

test('A draft keeps its tags, and nobody finds it by them before it is published', async () => {
  const { id } = await send({ action: 'draft', tags: 'sourdough' });
  const page = await asBob.read(`/posts/${id}/edit`);
  const hidden = await new Browser(app.url).open('/tags/sourdough');

  await asBob.submit(page, `/posts/${id}/edit`, { ...POST, tags: 'sourdough, rye', action: 'publish' });

  assert.match(page, /name="tags" value="sourdough"/);
  assert.equal(hidden.status, 404);
  assert.match(await new Browser(app.url).read('/tags/rye'), /On bread/);
});

test('The editor saves what is written even while a tag is half typed', async () => {
  const { id } = await send({ action: 'draft', tags: 'oven' });
  const edit = await asBob.read(`/posts/${id}/edit`);
  const [, version = ''] = /name="version" value="(\d+)"/.exec(edit) ?? [];
  const save = (fields: Record<string, string>) =>
    asBob.post(
      `/posts/${id}/autosave`,
      new URLSearchParams({ form_token: formTokenIn(edit), ...POST, ...fields }),
    );

  const first = await save({ version, body: 'Rye, and', tags: 'oven, c+' });
  const { version: next } = (await first.json()) as { version: number };
  const second = await save({ version: String(next), body: 'Rye, and wheat', tags: 'oven, crust' });

  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.equal((await reads.findPost(id))?.body, 'Rye, and wheat');
  assert.deepEqual(await storedAt(id), ['oven', 'crust']);
});

test('A tag leaves no trace of a removed post', async () => {
  const { id } = await send({ action: 'publish', title: 'Secret', tags: 'secret-tag' });
  const before = await new Browser(app.url).open('/tags/secret-tag');

  await writes.removePost({ kind: 'member', userId: alice.id + 1, at: app.clock.now }, id, 10);

  assert.equal(before.status, 200);
  assert.equal((await new Browser(app.url).open('/tags/secret-tag')).status, 404);
  assert.doesNotMatch(await new Browser(app.url).read('/tags'), /secret-tag/);
  assert.doesNotMatch(await asAlice.read('/write'), /secret-tag/);
});

test('The form suggests the tags that are used most', async () => {
  const form = await asAlice.read('/write');
  const inChinese = await (await browserOf(app, 'alice', 'zh')).read('/write');

  assert.match(form, /<input[^>]* name="tags"[^>]*list="used-tags"/);
  assert.match(form, /<datalist id="used-tags">.*<option value="slow-food">/);
  assert.match(form, /Often used: .*slow-food/);
  assert.match(inChinese, /标签，用逗号分隔（可选）[\s\S]*常用标签：/);
});

test('The download of a member’s data has the tags of their posts', async () => {
  const page = await asBob.read('/settings/account');
  const answer = await asBob.submit(page, '/settings/account/export');

  assert.match(await answer.text(), /"tags":\["bread","面包","slow-food"\]/);
});
