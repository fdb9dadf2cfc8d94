// Renaming, merging and hiding tags, by operators and moderators.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import type { Tag } from '../../../src/community/tag.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn, formTokenIn } from '../../support/browser.ts';
import { browserOf, member, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
const mona = await member(app, 'mona');
await portico.identity.writes.setRole(byServer(portico.clock), mona.id, 'moderator');
const bob = await member(app, 'bob');
await member(app, 'olivia', { isOperator: true });
const visitor = new Browser(app.url);

const PATH = '/operator/tags';

async function change(tag: string, fields: Record<string, string>, { browser } = mona): Promise<Response> {
  const token = formTokenIn(await mona.browser.read(PATH));
  const id = (await portico.community.reads.findTag(tag))?.id;
  return browser.post(`${PATH}/${tag}`, new URLSearchParams({ form_token: token, id: `${id}`, ...fields }));
}

async function tagNamed(name: string): Promise<Tag> {
  const tag = await portico.community.reads.findTag(name);
  assert.ok(tag);
  return tag;
}

test('A renamed tag is shown by its new name everywhere, and its earlier address leads to the new one', async () => {
  const id = await publish(portico, bob, 'Modules', 'Some words.', 'js, oven');
  await visitor.read('/');

  const answer = await change('js', { change: 'rename', name: 'Java Script' });

  assert.deepEqual(
    [answer.status, answer.headers.get('location')],
    [303, `${PATH}/java-script?done=renamed`],
  );
  const managed = await mona.browser.read(`${PATH}/java-script?done=renamed`);
  assert.match(managed, /Tag renamed[\s\S]*<h1>#java-script<\/h1>|<h1>#java-script<\/h1>[\s\S]*Tag renamed/);
  assert.match(managed, /Earlier names, which lead here: #js/);
  for (const path of ['/', '/popular', `/posts/${id}`, '/tags/java-script', '/u/bob', '/search?q=modules']) {
    const page = await visitor.read(path);
    assert.match(page, /<a rel="tag" href="\/tags\/java-script">#java-script<\/a>/, path);
    assert.doesNotMatch(page, /#js</, path);
  }
  assert.match(await (await visitor.open('/feed.atom')).text(), /<category term="java-script"/);
  const old = await visitor.open('/tags/js/popular?language=en');
  assert.deepEqual(
    [old.status, old.headers.get('location'), old.headers.get('cache-control')],
    [301, '/tags/java-script/popular?language=en', 'no-store'],
  );
  assert.equal((await visitor.open('/tags/js/feed.atom')).status, 200);
  assert.match(await visitor.read('/search?q=modules&tag=js'), /Modules/);
  await publish(portico, bob, 'Later', 'Some words.', 'js');
  assert.match(await visitor.read('/tags/java-script'), /Later[\s\S]*Modules/);
});

test('A tag is merged after a question, and its address and its followers go to the other one', async () => {
  await publish(portico, bob, 'Rye', 'Some words.', 'loaf');
  await publish(portico, bob, 'Wheat', 'Some words.', 'bread');
  await bob.browser.submit(await bob.browser.read('/tags/loaf'), '/tags/loaf/follow');

  const question = await change('loaf', { change: 'merge', into: '#Bread' });
  const asked = await question.text();
  const answer = await mona.browser.submit(asked, `${PATH}/loaf`);

  assert.equal(question.status, 200);
  assert.match(asked, /Merge #loaf into #bread\?[\s\S]*can’t be undone/);
  assert.equal(answer.headers.get('location'), `${PATH}/bread?done=merged`);
  assert.match(await visitor.read('/tags/bread'), /2 posts[\s\S]*Wheat[\s\S]*Rye/);
  assert.equal((await visitor.open('/tags/loaf')).headers.get('location'), '/tags/bread');
  assert.match(await bob.browser.read('/settings/following'), /href="\/tags\/bread"/);
});

test('A form acts on the tag that it was shown for, also if its name leads to another one meanwhile', async () => {
  await publish(portico, bob, 'Tags', 'Some words.', 'spam-word, news, third');
  const path = `${PATH}/spam-word`;
  const form = await mona.browser.read(path);
  const fields = { form_token: formTokenIn(form), ...Object.fromEntries(formIn(form, path)) };
  const question = await (await change('third', { change: 'merge', into: 'spam-word' })).text();
  await change('spam-word', { change: 'merge', into: 'news', into_id: `${(await tagNamed('news')).id}` });

  const late = await mona.browser.post(path, new URLSearchParams({ ...fields, change: 'hide' }));
  const confirmed = await mona.browser.submit(question, `${PATH}/third`);

  for (const answer of [late, confirmed]) {
    assert.equal(answer.status, 409);
    assert.match(await answer.text(), /role="alert"[\s\S]*Not changed: the name belongs to another tag now/);
  }
  assert.equal((await tagNamed('news')).hiddenAt, undefined);
  assert.equal((await tagNamed('third')).postCount, 1);
});

test('A hidden tag has no page, and no list, post, feed or suggestion shows it; its posts stay', async () => {
  const id = await publish(portico, bob, 'Polite', 'Some words.', 'rude-word, kind');
  await bob.browser.submit(await bob.browser.read('/tags/rude-word'), '/tags/rude-word/follow');

  const answer = await change('rude-word', { change: 'hide' });

  assert.equal(answer.headers.get('location'), `${PATH}/rude-word?done=hidden`);
  for (const path of ['/tags/rude-word', '/tags/rude-word/popular', '/tags/rude-word/feed.json']) {
    assert.equal((await visitor.open(path)).status, 404, path);
  }
  for (const path of ['/', '/tags', `/posts/${id}`, '/tags/kind', '/feed.json', '/sitemap/tags-1.xml']) {
    const text = await (await visitor.open(path)).text();
    assert.doesNotMatch(text, /rude-word/, path);
  }
  assert.doesNotMatch(await mona.browser.read('/write'), /rude-word/);
  assert.doesNotMatch(await visitor.read('/search?q=polite&tag=rude-word'), /<h2><a/);
  assert.match(await visitor.read(`/posts/${id}`), /Polite[\s\S]*#kind/);
  assert.match(await bob.browser.read(`/posts/${id}/edit`), /value="rude-word, kind"/);
  const followed = await bob.browser.read('/settings/following');
  assert.match(followed, /<span>#rude-word<\/span>/);
  await bob.browser.submit(followed, '/tags/rude-word/unfollow');
  assert.doesNotMatch(await bob.browser.read('/settings/following'), /rude-word/);

  assert.match(await mona.browser.read(PATH), /Hidden tags[\s\S]*#rude-word/);
  await change('rude-word', { change: 'show' });
  assert.match(await visitor.read(`/posts/${id}`), /#rude-word/);
  assert.equal((await visitor.open('/tags/rude-word')).status, 200);
});

test('Another process shows a change after some seconds', async () => {
  await publish(portico, bob, 'Elsewhere', 'Some words.', 'elsewhere');
  await visitor.read('/');
  const tag = await tagNamed('elsewhere');

  await portico.community.writes.hideTag({ kind: 'command-line', at: app.clock.now }, tag);
  app.clock.advance(10 * SECOND);

  assert.doesNotMatch(await visitor.read('/'), /#elsewhere/);
});

test('Names that can’t be are refused, and what was typed stays in the form', async () => {
  await publish(portico, bob, 'One', 'Some words.', 'one, two');
  for (const [fields, problem] of [
    [{ change: 'rename', name: 'two' }, /href="#name">Another tag has this name/],
    [
      { change: 'rename', name: '"><script>' },
      /href="#name">Enter one tag[\s\S]*value="&quot;&gt;&lt;script&gt;"/,
    ],
    [{ change: 'rename', name: 'a, b' }, /href="#name">Enter one tag/],
    [{ change: 'rename', name: '' }, /href="#name">Enter one tag/],
    [{ change: 'merge', into: 'nowhere' }, /href="#into">There is no such tag/],
    [{ change: 'merge', into: 'One' }, /href="#into">Enter another tag/],
    [{ change: 'merge', into: '<b>' }, /href="#into">There is no such tag[\s\S]*value="&lt;b&gt;"/],
  ] as const) {
    const answer = await change('one', fields);
    const page = await answer.text();
    assert.equal(answer.status, 400);
    assert.match(page, problem);
    assert.doesNotMatch(page, /<script>|<b>/);
  }
  assert.equal((await change('one', { change: 'other' })).status, 404);
  assert.equal((await change('nowhere', { change: 'hide' })).status, 404);
});

test('Tags are found by the beginning of their names, in both languages', async () => {
  await publish(portico, bob, 'Many', 'Some words.', 'garden, garden-bed, gate');

  const page = await mona.browser.read(`${PATH}?name=%23Garden`);
  const chinese = await (await browserOf(app, 'mona', 'zh')).read(`${PATH}?name=garden`);
  const one = await (await browserOf(app, 'mona', 'zh')).read(`${PATH}/garden`);

  assert.match(page, /#garden<\/a>[\s\S]*#garden-bed<\/a>/);
  assert.doesNotMatch(page, /#gate/);
  assert.match(await mona.browser.read(`${PATH}?name=nowhere`), /No tags found/);
  assert.match(await mona.browser.read(`${PATH}?name=%3Cscript%3E`), /No tags found/);
  assert.match(chinese, /<h1>标签<\/h1>[\s\S]*名称开头[\s\S]*#garden-bed/);
  assert.match(one, /更名[\s\S]*并入标签[\s\S]*隐藏标签/);
});

test('Members neither see nor use these pages, and each act is in the audit log with who did it', async () => {
  await publish(portico, bob, 'Audited', 'Some words.', 'audited');
  const refused = await bob.browser.open(PATH);
  const forged = await change('audited', { change: 'hide' }, bob);

  await change('audited', { change: 'hide' });

  assert.deepEqual([refused.status, forged.status], [404, 404]);
  const events = await portico.audit.reads.auditEvents({ limit: 9, subject: { kind: 'tag', id: 'audited' } });
  assert.deepEqual(
    events.map(({ action, actorName }) => [action, actorName]),
    [['tag.hide', 'mona']],
  );
});
