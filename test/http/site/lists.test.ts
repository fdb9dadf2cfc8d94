// The lists of posts: what is above and beside them, the two views, and the filter by language.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { likePost } from '../../../src/community/like.ts';
import { removePost } from '../../../src/community/post.ts';
import { write } from '../../../src/community/writing.ts';
import { postListItem } from '../../../src/http/site/lists/item.ts';
import { setAccountStatus } from '../../../src/identity/account-status.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, person, publish } from '../../support/people.ts';

const app = await openApp({ SITE_NAME: 'Lantern' });
after(() => app.close());
const { portico } = app;
const server = byServer(portico.clock);
const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
await portico.identity.writes.setRole(server, alice.id, 'operator');
const craft = await portico.community.writes.ensureCategory(server, 'craft', 'Craft', 100);
const visitor = new Browser(app.url);

async function publishInCraft(title: string): Promise<number> {
  const text = { title, body: 'Folding paper.', categoryId: craft?.id ?? 0 };
  const post = await write(byServer(portico.clock), portico.community, {
    authorId: bob.id,
    text,
    status: 'published',
  });
  assert.ok('id' in post);
  return post.id;
}

function titlesIn(page: string): string[] {
  const [main = ''] = /<section class="(?:full|compact)"[\s\S]*?<\/section>/.exec(page) ?? [];
  return [...main.matchAll(/<h2><a [^>]*>([^<]*)<\/a>/g)].map(([, title = '']) => title);
}

/** The text of the part beside the list, without its HTML. */
function besideOf(page: string): string {
  const [beside = ''] = /<aside class="beside">[\s\S]*?<\/aside>/.exec(page) ?? [];
  return beside
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const old = await publish(portico, bob, 'The old one', 'An English text, and it is about bread.');
app.clock.advance(8 * DAY);
const liked = await publishInCraft('The liked one');
app.clock.advance(HOUR);
const chinese = await publish(portico, bob, '面包', '今天做面包。');
app.clock.advance(HOUR);
await publishInCraft('The newest one');
await likePost(byMember(alice, portico.clock), portico.community, liked);
await likePost(byMember(alice, portico.clock), portico.community, old);

test('the home page begins with the community: its name, sentence, rules, and the number of members', async () => {
  for (const [name, value] of [
    ['sentence', 'A quiet place to write.'],
    ['contact', ''],
  ] as const) {
    await portico.site.writes.saveSettings(server, { [name]: value });
  }
  await portico.site.writes.saveTexts(server, 'rules', { en: 'Be kind.', zh: '' });

  const page = await visitor.read('/');

  assert.match(page, /<h1>Lantern<\/h1>\s*<p class="sentence">A quiet place to write\.<\/p>/);
  assert.match(page, /<span>2 members<\/span>\s*<a href="\/rules">Rules<\/a>/);
  assert.equal(page.match(/<h1>/g)?.length, 1);
});

test('closed accounts are no members, and the number is at most a minute old', async () => {
  const carol = await person(portico, 'carol');
  app.clock.advance(MINUTE);
  const before = await visitor.read('/');
  await setAccountStatus(server, portico.identity, carol, 'closed');
  app.clock.advance(MINUTE);

  assert.match(before, /3 members/);
  assert.match(await visitor.read('/'), /2 members/);
});

test('beside the newest posts are those of the week that members reacted to, and the categories with counts', async () => {
  const page = await visitor.read('/');

  assert.equal(besideOf(page), 'Popular this week The liked one bob Categories General 2 Craft 2');
  assert.doesNotMatch(besideOf(await visitor.read('/popular')), /Popular this week/);
});

test('a removed post is beside the list no more', async () => {
  const gone = await publishInCraft('The gone one');
  await likePost(byMember(alice, portico.clock), portico.community, gone);
  const before = besideOf(await visitor.read('/'));
  await removePost(byMember(bob, portico.clock), portico.community, gone);

  assert.match(before, /The gone one/);
  assert.doesNotMatch(await visitor.read('/'), /The gone one/);
});

test('New and Popular stay in a category, whose page doesn’t repeat its name under each post', async () => {
  const page = await visitor.read('/categories/craft');
  const popular = await visitor.read('/categories/craft/popular');

  assert.deepEqual(titlesIn(page), ['The newest one', 'The liked one']);
  assert.deepEqual(titlesIn(popular), ['The liked one', 'The newest one']);
  assert.match(page, /<a href="\/categories\/craft\/popular">Popular<\/a>/);
  assert.match(popular, /<a href="\/categories\/craft\/popular" aria-current="page">Popular<\/a>/);
  const [, items = ''] = page.split('<article', 2);
  assert.doesNotMatch(items, /href="\/categories\/craft"/);
  assert.equal((await visitor.open('/categories/nothing/popular')).status, 404);
});

test('a member’s own page doesn’t repeat the name under each post', async () => {
  const page = await visitor.read('/u/bob');

  assert.match(page, /The newest one/);
  assert.doesNotMatch(page, /class="author"/);
});

test('the lists are limited to a language, in both orders, and the links keep it', async () => {
  const page = await visitor.read('/?language=zh');

  assert.deepEqual(titlesIn(page), ['面包']);
  assert.deepEqual(titlesIn(await visitor.read('/popular?language=zh')), ['面包']);
  assert.deepEqual(titlesIn(await visitor.read('/popular?language=en')).sort(), [
    'The liked one',
    'The newest one',
    'The old one',
  ]);
  assert.match(page, /<a href="\/popular\?language=zh">Popular<\/a>/);
  assert.match(page, /<a href="\/\?language=zh" aria-current="page">中文<\/a>/);
  assert.equal(titlesIn(await visitor.read('/?language=xx')).length, 4);
  assert.match(await visitor.read('/?language=other'), /No posts in this language yet/);
  assert.deepEqual(titlesIn(await visitor.read('/categories/craft?language=en')), [
    'The newest one',
    'The liked one',
  ]);
  assert.match(await visitor.read('/categories/craft?language=zh'), /No posts in this language yet/);
  assert.match(
    await visitor.read('/categories/craft/popular?language=en'),
    /href="\/categories\/craft\?language=en">New<[\s\S]*href="\/categories\/craft\/popular\?language=zh"/,
  );
});

test('a visitor chooses the compact view without an account, and it is kept in this browser', async () => {
  const browser = new Browser(app.url);
  const page = await browser.read('/?language=en');

  const answer = await browser.submit(page, '/view', { view: 'compact' });
  const compact = await browser.read('/popular');
  await browser.submit(compact, '/view', { view: 'full' });

  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/?language=en']);
  assert.match(page, /class="excerpt /);
  assert.match(compact, /<section class="compact"/);
  assert.doesNotMatch(compact, /class="excerpt /);
  assert.match(await browser.read('/'), /<section class="full"/);
});

test('the choice of the view leads to no other site', async () => {
  const browser = new Browser(app.url);
  await browser.signIn('bob', PASSWORD);
  const page = await browser.read('/');

  const answer = await browser.submit(page, '/view', { view: 'compact', return_to: '//evil.example/' });

  assert.equal(answer.headers.get('location'), '/');
});

test('an announcement is beside every list, in the visitor’s language', async () => {
  await portico.site.writes.saveTexts(server, 'announcement', { en: '**Bake** day <b>', zh: '烤面包日' });

  for (const path of ['/', '/popular', '/categories/craft']) {
    assert.match(
      await visitor.read(path),
      /<aside class="announcement"[\s\S]*<strong>Bake<\/strong> day &lt;b&gt;/,
    );
  }
  assert.match(await new Browser(app.url, 'zh-CN').read('/'), /烤面包日/);
  assert.doesNotMatch(await visitor.read('/u/bob'), /announcement/);
});

test('an item tells the reading time, and only counts that are not zero; a picture has its size', async () => {
  const post = await portico.community.reads.findPost(chinese);
  assert.ok(post);
  const locale = { language: 'en', timeZone: 'UTC' } as const;
  const path = '/pictures/0123456789abcdef0123456789abcdef-40x30.webp';
  const items = [
    post,
    { ...post, likeCount: 1, commentCount: 2 },
    { ...post, readingMinutes: undefined, picture: path },
  ].map((each) => postListItem(each, post.updatedAt, locale, { names: new Map() }).toString());

  assert.match(items[0] ?? '', /1 min read/);
  assert.doesNotMatch(items[0] ?? '', /like|comment|view/);
  assert.match(items[1] ?? '', /1 like<[\s\S]*2 comments</);
  assert.match(items[2] ?? '', /tabindex="-1" aria-hidden="true"><img[^>]*width="40" height="30" alt=""/);
  assert.doesNotMatch(items[2] ?? '', /min read/);
});
