// The cards that previews of links show: when they are drawn, for whom, and how often.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import sharp from 'sharp';
import { byMember, byOperator, byServer } from '../../../src/audit/doer.ts';
import { removeContent } from '../../../src/community/moderation.ts';
import { removePost } from '../../../src/community/post.ts';
import { setAvatar } from '../../../src/identity/avatar.ts';
import { renameUser } from '../../../src/identity/renaming.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { metaOf, thingOf } from '../../support/head.ts';
import { member, type Person, person, publish, setStatus } from '../../support/people.ts';
import { drawPicture } from './picture-form.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
const { site, identity, community, clock } = portico;
const olivia = await member(app, 'olivia', { isOperator: true });
const bob = await person(portico, 'bob', 'Bakes bread.');
const visitor = new Browser(app.url);

async function cardOn(path: string): Promise<string> {
  const address = metaOf(await visitor.read(path)).get('og:image') ?? '';
  assert.ok(address.startsWith(`${app.url}/cards/`), address);
  return address.slice(app.url.length);
}

async function assertDrawn(path: string): Promise<void> {
  const answer = await visitor.open(path);
  assert.equal(answer.status, 200, path);
  assert.equal(answer.headers.get('content-type'), 'image/png');
  const { format, width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  assert.deepEqual([format, width, height], ['png', 1200, 630], path);
}

const statusOf = async (path: string) => (await visitor.open(path)).status;

test('A post, a member and the community have a card of the size that previews show, with words for it', async () => {
  const post = await publish(portico, bob, 'Rye & <b>wheat</b> 面包 🍞');
  for (const [path, alt] of [
    [`/posts/${post}`, 'Rye & <b>wheat</b> 面包 🍞 · bob'],
    ['/u/bob', 'bob'],
    ['/', 'Portico'],
  ] as const) {
    const page = await visitor.read(path);
    const meta = metaOf(page);
    await assertDrawn(await cardOn(path));
    assert.deepEqual(
      ['og:image:width', 'og:image:height', 'og:image:alt', 'twitter:card'].map((name) => meta.get(name)),
      ['1200', '630', alt, 'summary_large_image'],
    );
  }
  const page = await visitor.read(`/posts/${post}`);
  assert.equal(thingOf(page, 'BlogPosting').image, metaOf(page).get('og:image'));
});

test('A card is drawn once, also for many who ask at once, and is kept', async (t) => {
  const path = await cardOn(`/posts/${await publish(portico, bob, 'Only once')}`);
  const kept = t.mock.method(site.writes, 'keepDrawing');

  const answers = await Promise.all(Array.from({ length: 10 }, () => visitor.open(path)));
  const again = await visitor.open(path);
  const etag = again.headers.get('etag') ?? '';
  const unchanged = await visitor.open(path, { headers: { 'If-None-Match': etag } });

  assert.deepEqual(new Set([...answers, again].map(({ status }) => status)), new Set([200]));
  assert.equal(kept.mock.callCount(), 1);
  assert.deepEqual([unchanged.status, await unchanged.text()], [304, '']);
  assert.equal(again.headers.get('cache-control'), 'private, max-age=86400');
  assert.equal(again.headers.get('cross-origin-resource-policy'), 'cross-origin');
});

test('A card has a new address with each change of what is on it, and the old one is gone', async () => {
  const carol = await person(portico, 'carol');
  const text = { title: 'Slow', body: 'Words.', categoryId: 1 };
  const post = await publish(portico, carol, text.title);
  const path = `/posts/${post}`;
  const seen = [await cardOn(path)];
  const by = byMember(carol, clock);
  const changes: [string, () => Promise<unknown>][] = [
    ['title', () => retitle(carol, post, 'Slower')],
    ['name', () => rename(carol.id, 'carolina')],
    ['picture', async () => setAvatar(by, identity, await drawPicture())],
    ['site', () => site.writes.saveSettings(byServer(clock), { name: 'Agora' })],
    ['accent', () => site.writes.saveSettings(byServer(clock), { accent: '#2f5d50' })],
    ['logo', async () => site.writes.saveLogo(byServer(clock), 'a'.repeat(12), await drawPicture())],
  ];

  for (const [what, change] of changes) {
    await change();
    const now = await cardOn(path);
    assert.ok(!seen.includes(now), what);
    assert.equal(await statusOf(seen.at(-1) ?? ''), 404, what);
    seen.push(now);
  }
  await assertDrawn(seen.at(-1) ?? '');
  await site.writes.saveSettings(byServer(clock), { name: 'Portico', accent: '', logo: '' });
});

describe('There is no card of', () => {
  test('a draft or a removed post, also not the one that was drawn before', async () => {
    const dave = await person(portico, 'dave');
    const [own, foreign] = [await publish(portico, dave, 'One'), await publish(portico, dave, 'Two')];
    const cards = [await cardOn(`/posts/${own}`), await cardOn(`/posts/${foreign}`)];
    await assertDrawn(cards[0] ?? '');

    await removePost(byMember(dave, clock), community, own);
    const subject = { postId: foreign, commentId: undefined };
    await removeContent(byOperator(olivia, clock), community, subject, 'Spam');

    for (const card of cards) {
      assert.equal(await statusOf(card), 404);
      assert.equal((await olivia.browser.open(card)).status, 404);
    }
  });

  test('a suspended member, or one who closed the account, and nothing of it is kept', async () => {
    const mallory = await person(portico, 'mallory');
    const card = await cardOn('/u/mallory');
    const post = await publish(portico, mallory, 'Mine');
    const postCard = await cardOn(`/posts/${post}`);
    await assertDrawn(card);
    const [, version = ''] = /-([0-9a-f]{12})\.png$/.exec(postCard) ?? [];
    await assertDrawn(postCard);

    await setStatus(identity, mallory.id, 'suspended');
    assert.equal(await statusOf(card), 404);
    await setStatus(identity, mallory.id, 'closed');

    assert.deepEqual([await statusOf(card), await statusOf(postCard)], [404, 404]);
    assert.equal(await site.reads.findDrawing({ name: `post ${post}`, version }), undefined);
  });

  test('an address that nobody was given, and none is drawn for it', async (t) => {
    const drawn = t.mock.method(site.writes, 'keepDrawing');
    for (const path of ['/cards/posts/1-000000000000.png', '/cards/posts/99999-000000000000.png']) {
      assert.equal(await statusOf(path), 404);
    }
    for (const path of [
      '/cards/site-000000000000.png',
      '/cards/members/1-000000000000.png',
      '/cards/x.png',
    ]) {
      assert.equal(await statusOf(path), 404);
    }
    assert.equal(drawn.mock.callCount(), 0);
  });
});

test('Someone who asks for many cards at once waits for few, and gets no more than 30 new ones a minute', async () => {
  const paths: string[] = [];
  for (let n = 0; n < 8; n += 1)
    paths.push(await cardOn(`/posts/${await publish(portico, bob, `Many ${n}`)}`));

  const answers = await Promise.all(paths.map((path) => visitor.open(path)));

  const [drawn, refused] = [200, 503].map((status) => answers.filter((answer) => answer.status === status));
  assert.equal((drawn?.length ?? 0) + (refused?.length ?? 0), 8);
  // One may still be under way from before.
  assert.ok([4, 5].includes(drawn?.length ?? 0), `${drawn?.length}`);
  assert.equal(refused?.[0]?.headers.get('retry-after'), '10');

  for (let n = 0; n < 30; n += 1) await portico.counter.hit('drawings:127.0.0.1', 30, 60);
  const tooMany = await visitor.open(pathOf(refused?.[0]));
  assert.equal(tooMany.status, 429);
  assert.ok(Number(tooMany.headers.get('retry-after')) > 0);
  assert.equal(await statusOf(pathOf(drawn?.[0])), 200);
  app.clock.advance(MINUTE);
  assert.equal(await statusOf(pathOf(refused?.[0])), 200);

  function pathOf(answer?: Response): string {
    return new URL(answer?.url ?? '').pathname;
  }
});

test('The card of the community is drawn for members only, where only members can read', async () => {
  const card = await cardOn('/');
  await site.writes.saveSettings(byServer(clock), { reading: 'members' });

  assert.equal(await statusOf(card), 303);
  await site.writes.saveSettings(byServer(clock), { reading: 'everyone' });
});

async function retitle(author: Person, id: number, title: string): Promise<void> {
  const browser = new Browser(app.url);
  await browser.signIn(author.username, 'a long walk in the rain');
  const path = `/posts/${id}/edit`;
  const answer = await browser.submit(await browser.read(path), path, { title });
  assert.equal(answer.status, 303);
}

async function rename(id: number, to: string): Promise<void> {
  const user = await identity.reads.findUser(id);
  assert.ok(user);
  assert.equal(await renameUser(byServer(clock), identity, user, { to, language: 'en' }), undefined);
}
