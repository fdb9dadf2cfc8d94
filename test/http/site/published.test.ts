// What a post's page says about its publication: the link to share, and that it was edited.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { save } from '../../../src/community/writing.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { formIn } from '../../support/browser.ts';
import { type Member, member, publish } from '../../support/people.ts';

const app = await openApp();
const { community, clock } = app.portico;
after(() => app.close());
const [alice, bob] = [await member(app, 'alice'), await member(app, 'bob', { language: 'zh' })];

async function read({ browser }: Member, path: string): Promise<string> {
  return (await browser.open(path)).text();
}

async function write({ browser }: Member, fields: Record<string, string>): Promise<string> {
  const form = new URLSearchParams(formIn(await (await browser.open('/write')).text(), '/write'));
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const answer = await browser.post('/write', form);
  assert.equal(answer.status, 303);
  return answer.headers.get('location') ?? '';
}

for (const [who, words] of [
  [alice, 'Published.'],
  [bob, '已发布。'],
] as const) {
  test(`A published post says so once, with its link: ${words}`, async () => {
    const path = await write(who, { title: 'On rye', body: 'Slow.', action: 'publish' });

    const [first, second] = [await read(who, path), await read(who, path)];

    assert.ok(first.includes(`<strong>${words}</strong>`));
    assert.ok(first.includes(`<pre class="once" id="post-address">${app.url}${path}</pre>`));
    assert.ok(!second.includes('post-address'));
  });
}

test('A draft says so when it is published, and not when it is saved', async () => {
  const draft = await write(alice, { title: 'On oats', body: 'Soaked.', action: 'draft' });
  const page = await read(alice, draft);
  assert.ok(!page.includes('post-address'));

  const answer = await alice.browser.post(
    `${draft}/publish`,
    new URLSearchParams(formIn(page, `${draft}/publish`)),
  );

  assert.ok((await read(alice, answer.headers.get('location') ?? '')).includes('post-address'));
});

test('A post says that it was edited, and when, except within five minutes of its publication', async () => {
  const id = await publish(app.portico, bob, 'On spelt', 'Flat.');
  const edit = async () => {
    const text = { title: 'On spelt', body: `Flat, ${clock()}.`, categoryId: 1 };
    await save(byMember(bob, clock), community, { id, status: 'published' }, { text, version: undefined });
    return read(alice, `/posts/${id}/on-spelt`);
  };

  app.clock.advance(5 * MINUTE);
  assert.doesNotMatch(await edit(), /edited <time/);
  app.clock.advance(MINUTE);
  assert.match(await edit(), /<span class="soft">edited <time [^>]*>just now<\/time><\/span>/);
});
