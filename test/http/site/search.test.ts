// The search page: how many posts, their words marked, filters, members, and what helps when nothing is found.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { likePost } from '../../../src/community/like.ts';
import { setAccountStatus } from '../../../src/identity/account-status.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { person, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
const server = byServer(portico.clock);
const [alice, bob] = [await person(portico, 'alice'), await person(portico, 'bob')];
const alison = await person(portico, 'alison');
await portico.identity.writes.setRole(server, alice.id, 'operator');
const visitor = new Browser(app.url);

beforeEach(() => app.clock.advance(HOUR));

const rye = await publish(
  portico,
  bob,
  'On rye <b>bread</b>',
  `${'Some words first. '.repeat(20)}Then "breads" & <i>more</i>.`,
);
await publish(portico, alice, '面包', '今天烤了面包，很香。');

function search(query: Record<string, string>): Promise<string> {
  return visitor.read(`/search?${new URLSearchParams(query)}`);
}

function titlesIn(page: string): string[] {
  return [...page.matchAll(/<h2><a [^>]*>(.*?)<\/a><\/h2>/g)].map(([, title = '']) => title);
}

test('the results say how many there are, and mark the words in the title and around the first place', async () => {
  const page = await search({ q: 'bread' });

  assert.match(page, /role="status">\s*1 post/);
  assert.deepEqual(titlesIn(page), ['On rye &lt;b&gt;<mark>bread</mark>&lt;/b&gt;']);
  assert.match(page, /…[^<]*Then &quot;<mark>breads<\/mark>&quot; &amp; &lt;i&gt;more&lt;\/i&gt;\./);
});

test('Chinese words are marked', async () => {
  const page = await search({ q: '面包' });

  assert.deepEqual(titlesIn(page), ['<mark>面包</mark>']);
  assert.match(page, /今天烤了<mark>面包<\/mark>，很香。/);
});

test('the beginning of a word finds the word, and says so', async () => {
  const page = await search({ q: 'brea' });

  assert.match(page, /1 post with words that begin like this/);
  assert.deepEqual(titlesIn(page), ['On rye &lt;b&gt;<mark>bread</mark>&lt;/b&gt;']);
});

test('one or two letters are not completed, and the page says so in both languages', async () => {
  const asked = '/search?q=br&words=begin';
  const page = await visitor.read(asked);
  const chinese = await new Browser(app.url, 'zh').read(asked);
  const found = await search({ q: 'on', words: 'begin' });

  assert.match(page, /Only whole words were searched for[\s\S]*No post contains “br”/);
  assert.match(chinese, /只搜索了完整的词[\s\S]*没有包含“br”的文章/);
  assert.match(found, /Only whole words were searched for[\s\S]*1 post\s/);
  assert.doesNotMatch(await search({ q: 'brea', words: 'begin' }), /Only whole words/);
});

test('more than twenty posts continue on the next page, also those with words that were completed', async () => {
  for (let number = 1; number <= 25; number += 1) await publish(portico, alice, `Pancake ${number}`);
  await likePost(byMember(bob, portico.clock), portico.community, rye);
  const nextOf = (page: string) =>
    /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

  for (const sort of ['new', 'popular']) {
    const first = await search({ q: 'panc', sort });
    const second = await visitor.read(nextOf(first));

    assert.match(first, /25 posts with words/);
    assert.deepEqual([titlesIn(first).length, titlesIn(second).length], [20, 5]);
    assert.equal(new Set([...titlesIn(first), ...titlesIn(second)]).size, 25);
  }
});

test('posts are found by author, category and language, and an unknown author has none', async () => {
  assert.equal(titlesIn(await search({ q: 'bread', author: 'bob' })).length, 1);
  assert.equal(titlesIn(await search({ q: 'bread', author: '@BOB' })).length, 1);
  assert.equal(titlesIn(await search({ q: 'bread', author: 'alice' })).length, 0);
  assert.equal(titlesIn(await search({ q: 'bread', category: 'general', language: 'en' })).length, 1);
  assert.equal(titlesIn(await search({ q: 'bread', language: 'zh' })).length, 0);
  const unknown = await search({ q: 'bread', author: 'nobody' });
  assert.match(
    unknown,
    /No post contains “bread”[\s\S]*<a href="\/search\?q=bread">Search without filters<\/a>/,
  );
  assert.match(unknown, /<details open>/);
});

test('posts are found by a tag, however it is spelled, and the page of the tag leads to the search', async () => {
  const tagged = await publish(portico, bob, 'Rye with seeds', 'Bread.', 'slow-food');
  await publish(portico, bob, 'Rye without', 'Bread.');
  const page = await visitor.read('/tags/slow-food');
  const [, link = ''] = /href="(\/search[^"]*)">Search in this tag/.exec(page) ?? [];

  const form = await visitor.read(link);
  const found = await search({ q: 'rye bread', tag: '#Slow Food' });

  assert.match(form, /<details open>[\s\S]*name="tag" value="slow-food"/);
  assert.deepEqual(titlesIn(found), ['<mark>Rye</mark> with seeds']);
  assert.match(found, new RegExp(`/posts/${tagged}/`));
  assert.match(found, /name="tag" value="Slow Food"/);
  assert.deepEqual(titlesIn(await search({ q: 'rye', tag: 'nowhere' })), []);
  assert.deepEqual(titlesIn(await search({ q: 'rye', tag: '"><script>' })), []);
  assert.doesNotMatch(await search({ q: 'rye', tag: '"><script>' }), /<script>/);
});

test('members are found by the beginning of their names, unless their accounts are suspended or closed', async () => {
  const namesIn = (page: string) => {
    const [section = ''] = /<section class="found-members"[\s\S]*?<\/section>/.exec(page) ?? [];
    return [...section.matchAll(/href="\/u\/([^"]+)"/g)].map(([, name]) => name);
  };
  const both = namesIn(await search({ q: 'ALI' }));
  await setAccountStatus(server, portico.identity, alison, 'suspended');

  assert.deepEqual(both, ['alice', 'alison']);
  assert.deepEqual(namesIn(await search({ q: '@ali' })), ['alice']);
  assert.deepEqual(namesIn(await search({ q: 'a' })), []);
  assert.deepEqual(namesIn(await search({ q: 'ali', language: 'en' })), []);
});

test('without results the page helps on, and the page has one search field', async () => {
  const page = await search({ q: 'zebra' });

  assert.match(page, /No post contains “zebra”[\s\S]*Check the spelling[\s\S]*href="\/categories"/);
  assert.equal(page.match(/type="search"/g)?.length, 1);
  assert.equal((await visitor.read('/')).match(/type="search"/g)?.length, 1);
});

test('a search that was cut off says how far it came, and goes on from there', async (t) => {
  const { reads } = portico.community;
  t.after(() => {
    portico.community.reads = reads;
  });
  let cut = { ids: [rye], count: 1, searchedFrom: 7 };
  portico.community.reads = { ...reads, postIdsWith: async () => cut };

  const some = await search({ q: 'bread' });
  cut = { ids: [], count: 0, searchedFrom: 7 };
  const none = await search({ q: 'bread' });
  cut = { ids: Array.from({ length: 21 }, (_, index) => 2000 - index), count: 1001, searchedFrom: 900 };
  const many = await search({ q: 'bread' });

  assert.match(some, /1 posts? among the newest\. Older ones were not searched yet\./);
  assert.match(some, /href="\/search\?q=bread&amp;before=7">Search older posts/);
  assert.match(none, /None of the newest posts contain these words[\s\S]*before=7">Search older posts/);
  assert.doesNotMatch(many, /1,001/);
});
