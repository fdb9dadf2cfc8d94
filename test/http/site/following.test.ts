// Following members and tags, and bookmarking posts: the buttons and the lists.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { write } from '../../../src/community/writing.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { browserOf, type Person, person, setStatus } from '../../support/people.ts';

const app = await openApp();
const { portico } = app;
const { community, clock } = portico;
after(() => app.close());
await person(portico, 'alice');
const bob = await person(portico, 'bob');
const mallory = await person(portico, 'mallory');
const asAlice = await browserOf(app, 'alice');
const asMallory = await browserOf(app, 'mallory');
const visitor = new Browser(app.url);

async function publish(author: Person, title: string, tags = ''): Promise<number> {
  app.clock.advance(HOUR);
  const text = { title, body: 'Some words.', categoryId: 1, tags };
  const post = await write(byMember(author, clock), community, {
    authorId: author.id,
    text,
    status: 'published',
  });
  assert.ok('id' in post);
  return post.id;
}

const titlesIn = (page: string) =>
  [...page.matchAll(/<h2><a[^>]*>([^<]*)<\/a><\/h2>/g)].map(([, title]) => title);

test('A member follows another and a tag, reads the posts of both, and unfollows them', async () => {
  await publish(bob, 'By bob', 'bread');
  await publish(mallory, 'On rye', 'rye');
  await publish(mallory, 'Unrelated');
  const member = await asAlice.read('/u/bob');

  const answer = await asAlice.submit(member, '/u/bob/follow');
  await asAlice.submit(await asAlice.read('/tags/rye'), '/tags/rye/follow');
  const followed = await asAlice.read('/u/bob');
  const stream = await asAlice.read('/following');
  const list = await asAlice.read('/settings/following');
  await asAlice.submit(followed, '/u/bob/unfollow');
  const back = await asAlice.submit(list, '/tags/rye/unfollow', { return_to: '/settings/following' });

  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/u/bob']);
  assert.match(member, /aria-pressed="false"[^>]*>Follow</);
  assert.match(followed, /action="\/u\/bob\/unfollow"[\s\S]*aria-pressed="true"[^>]*>Following</);
  assert.deepEqual(titlesIn(stream), ['On rye', 'By bob']);
  assert.match(list, /href="\/u\/bob"[\s\S]*#rye/);
  assert.equal(back.headers.get('location'), '/settings/following');
  assert.deepEqual(titlesIn(await asAlice.read('/following')), []);
  assert.match(await asAlice.read('/settings/following'), /You follow no members[\s\S]*You follow no tags/);
});

test('Only the member knows whom they follow, and how many follow them', async () => {
  await asAlice.submit(await asAlice.read('/u/bob'), '/u/bob/follow');
  const asBob = await browserOf(app, 'bob');

  assert.match(await asBob.read('/u/bob'), /1 member follows you\. Only you can see this\./);
  for (const browser of [asAlice, asMallory, visitor]) {
    assert.doesNotMatch(await browser.read('/u/bob'), /follows? you/);
  }
  assert.doesNotMatch(await asBob.read('/notifications'), /alice/);
  for (const path of ['/following', '/bookmarks', '/settings/following']) {
    const answer = await visitor.open(path);
    assert.deepEqual(
      [answer.status, answer.headers.get('location')],
      [303, `/login?return_to=${encodeURIComponent(path)}`],
    );
  }
});

test('A visitor signs in to follow, and comes back to the page', async () => {
  assert.match(await visitor.read('/u/bob'), /class="button press" href="\/login\?return_to=%2Fu%2Fbob"/);
  assert.match(
    await visitor.read('/tags/rye'),
    /class="button press" href="\/login\?return_to=%2Ftags%2Frye"/,
  );
  for (const path of ['/u/bob/follow', '/u/bob/unfollow']) {
    assert.equal((await asAlice.open(path)).headers.get('location'), '/u/bob');
  }
});

test('Members can not follow themselves, a closed account or what does not exist, nor from another site', async () => {
  const token = formTokenIn(await asMallory.read('/u/bob'));
  const send = async (path: string, form_token = token) =>
    (await asMallory.post(path, new URLSearchParams({ form_token }))).status;
  const carol = await person(portico, 'carol');
  await setStatus(portico.identity, carol.id, 'closed');

  assert.doesNotMatch(await asMallory.read('/u/mallory'), /\/u\/mallory\/follow/);
  assert.equal(await send('/u/mallory/follow'), 303);
  for (const path of ['/u/carol/follow', '/u/none/follow', '/tags/none/follow', '/tags/%20/follow']) {
    assert.equal(await send(path), 404, path);
  }
  assert.equal(await send('/u/bob/follow', 'forged'), 403);
  const elsewhere = await asMallory.post(
    '/u/bob/unfollow',
    new URLSearchParams({ form_token: token, return_to: '//evil.example' }),
  );
  assert.equal(elsewhere.headers.get('location'), '/');
  assert.deepEqual(await community.reads.followedMembers(mallory.id), []);
});

test('After 200 follows in an hour, and at 1,000 followed, the page says what to do', async () => {
  const page = await asMallory.read('/u/alice');
  const { now } = app.clock;
  const follow = community.writes.follow.bind(community.writes);
  community.writes = { ...community.writes, follow: (by, followed) => follow(by, followed, 0) };
  const { followedMembers } = community.reads;
  const thousand = async () =>
    Array.from({ length: 1000 }, () => ({ id: 1, username: '', avatar: undefined, since: 0 }));
  community.reads = { ...community.reads, followedMembers: thousand };

  const tooMany = await asMallory.submit(page, '/u/alice/follow');
  community.writes = { ...community.writes, follow };
  community.reads = { ...community.reads, followedMembers };
  for (let count = 0; count < 200; count += 1) {
    await community.writes.countAttempt(`follow ${mallory.id}`, 200, now, now + HOUR);
  }
  const tooOften = await asMallory.submit(page, '/u/alice/follow');

  assert.equal(tooMany.status, 409);
  assert.match(await tooMany.text(), /You can follow 1,000 members and tags[\s\S]*\/settings\/following/);
  assert.deepEqual([tooOften.status, tooOften.headers.get('retry-after')], [429, '3600']);
});

test('Pages that can have very many lines, such as the posts that one follows, are read 120 times a minute in all', async () => {
  await person(app.portico, 'reader');
  const reader = await browserOf(app, 'reader');
  const statusOf = async (browser: Browser) => (await browser.open('/following')).status;

  for (let count = 0; count < 120; count += 1) assert.equal(await statusOf(reader), 200);

  assert.deepEqual([await statusOf(reader), await statusOf(asMallory)], [429, 200]);
  for (const path of ['/settings/apps', '/settings/diary', '/settings/tokens', '/developers/apps'])
    assert.equal((await reader.open(path)).status, 429, path);
  app.clock.advance(MINUTE);
  assert.equal(await statusOf(reader), 200);
});

test('A bookmark keeps a post for its reader alone, until it is removed', async () => {
  const id = await publish(bob, 'Worth keeping');
  const other = await publish(bob, 'Worth it too');
  const page = await asAlice.read(`/posts/${id}/worth-keeping`);

  const answer = await asAlice.submit(page, `/posts/${id}/bookmark`);
  app.clock.advance(HOUR);
  await asAlice.submit(await asAlice.read(`/posts/${other}/worth-it-too`), `/posts/${other}/bookmark`);
  const set = await asAlice.read(`/posts/${id}/worth-keeping`);
  const list = await asAlice.read('/bookmarks');
  const others = await asMallory.read('/bookmarks');
  await asAlice.submit(set, `/posts/${id}/unbookmark`);
  await community.writes.removePost(byMember(bob, clock), other, 10);

  assert.equal(answer.headers.get('location'), `/posts/${id}/worth-keeping#reactions`);
  assert.match(page, /aria-pressed="false"[^>]*>[^<]*<span aria-hidden="true">☆<\/span>\s*Bookmark/);
  assert.match(set, /★<\/span>\s*Bookmarked/);
  assert.deepEqual(titlesIn(list), ['Worth it too', 'Worth keeping']);
  assert.deepEqual(titlesIn(others), []);
  assert.deepEqual(titlesIn(await asAlice.read('/bookmarks')), []);
  assert.doesNotMatch(await visitor.read(`/posts/${id}/worth-keeping`), /ookmark/);
});

test('The download of a member’s data has bookmarks and whom and what the member follows', async () => {
  const id = await publish(mallory, 'Kept', 'oven');
  await asAlice.submit(await asAlice.read(`/posts/${id}/kept`), `/posts/${id}/bookmark`);
  await asAlice.submit(await asAlice.read('/tags/oven'), '/tags/oven/follow');
  const answer = await asAlice.submit(await asAlice.read('/settings/account'), '/settings/account/export');

  const data = (await answer.json()) as {
    bookmarks: object[];
    followed_members: { username: string }[];
    followed_tags: { name: string }[];
  };

  assert.deepEqual(data.bookmarks, [
    { post_id: id, post_title: 'Kept', created_at: new Date(clock()).toISOString() },
  ]);
  assert.deepEqual(
    data.followed_members.map(({ username }) => username),
    ['bob'],
  );
  assert.deepEqual(
    data.followed_tags.map(({ name }) => name),
    ['oven'],
  );
});

test('The links to both lists are on the member’s own page and at the foot of every page', async () => {
  const inChinese = await browserOf(app, 'alice', 'zh');

  assert.match(await asAlice.read('/u/alice'), /<li><a href="\/following">[\s\S]*<li><a href="\/bookmarks">/);
  assert.match(await asAlice.read('/popular'), /<footer[\s\S]*href="\/following"[\s\S]*href="\/bookmarks"/);
  assert.doesNotMatch(await visitor.read('/popular'), /\/bookmarks/);
  assert.match(await inChinese.read('/following'), /<h1[^>]*>关注</);
  assert.match(await inChinese.read('/bookmarks'), /<h1[^>]*>书签</);
});

test('A long list of members and tags has pages of less than 100 kB', async () => {
  const { followedMembers, followedTags } = community.reads;
  const since = clock();
  community.reads = {
    ...community.reads,
    followedMembers: async () =>
      Array.from({ length: 500 }, (_, id) => ({
        id,
        username: `m${id}_${'x'.repeat(25)}`,
        avatar: undefined,
        since,
      })),
    followedTags: async () =>
      Array.from({ length: 500 }, (_, id) => ({
        id,
        name: `t${id}-${'面'.repeat(25)}`,
        postCount: 1,
        since,
      })),
  };

  const pages = [];
  for (let number = 1; number <= 18; number += 1)
    pages.push(await asAlice.read(`/settings/following?page=${number}`));
  community.reads = { ...community.reads, followedMembers, followedTags };

  const shown = pages.slice(0, 17).flatMap((page) => page.match(/\/unfollow"/g) ?? []);
  assert.equal(shown.length, 1000);
  assert.ok(pages.every((page) => Buffer.byteLength(page) < 100_000));
  assert.match(pages[8] ?? '', /Members<\/h2>[\s\S]*Tags<\/h2>/);
  assert.doesNotMatch(pages[17] ?? '', /unfollow"/);
});
