// Downloads of one's data by slow readers: what each of them holds, and how many there can be.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { ownPosts } from '../../../src/community/own-data.ts';
import { write } from '../../../src/community/writing.ts';
import { downloadOf } from '../../../src/http/pages/download.ts';
import type { PageEnv, Visitor } from '../../../src/http/pages/visitor.ts';
import { setAccountStatus } from '../../../src/identity/account-status.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { type Member, member } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { community } = app.portico;
const EXPORT = '/settings/account/export';
const LONG = '面'.repeat(99_990);

/** Fill the drafts of a member, so that a connection can't take all of them at once. */
async function withDrafts(username: string, count: number): Promise<Member> {
  const author = await member(app, username);
  for (let number = 0; number < count; number += 1) {
    if (number % 50 === 49) app.clock.advance(HOUR);
    const text = { title: `Draft ${number}`, body: LONG, categoryId: 1 };
    const by = byMember(author, app.clock.read);
    const outcome = await write(by, community, { authorId: author.id, status: 'draft', text });
    assert.ok('id' in outcome, JSON.stringify(outcome));
  }
  return author;
}

async function download({ browser }: Member): Promise<Response> {
  return browser.submit(await browser.read('/settings/account'), EXPORT);
}

test('a download holds a few long posts at a time, and has all of them', async () => {
  const mallory = await withDrafts('mallory', 9);
  let most = 0;
  const reads = {
    ...community.reads,
    ownPosts: async (...wanted: Parameters<typeof community.reads.ownPosts>) => {
      const posts = await community.reads.ownPosts(...wanted);
      most = Math.max(
        most,
        posts.map(({ body }) => body.length).reduce((sum, length) => sum + length, 0),
      );
      return posts;
    },
  };

  const titles = (await Array.fromAsync(ownPosts({ ...community, reads }, mallory.id))).map(
    ({ title }) => title,
  );

  assert.equal(new Set(titles).size, 9);
  assert.ok(most <= 400_000, `${most} characters`);
});

test('a member has one download at a time, also a slow one; another member’s goes on', async () => {
  const slow = await withDrafts('slow', 70);
  const other = await member(app, 'other');

  const first = await download(slow);
  const second = await download(slow);
  const others = await download(other);

  assert.deepEqual([first.status, second.status, others.status], [200, 429, 200]);
  assert.equal(second.headers.get('retry-after'), '60');
  assert.match(await others.text(), /"username":"other"/);
  await first.body?.cancel();
  // The server sees the end of the connection a moment later.
  let again = await download(slow);
  for (let tries = 0; again.status === 429 && tries < 50; tries += 1) {
    await pause(20);
    again = await download(slow);
  }
  assert.equal(again.status, 200);
  assert.equal(JSON.parse(await again.text()).posts.length, 70);
});

test('a download that is read too slowly ends, and makes room for another', async (t) => {
  const slow = await withDrafts('stalling', 70);
  t.mock.timers.enable({ apis: ['setInterval'] });

  const first = await download(slow);
  const reader = first.body?.getReader();
  await reader?.read();
  await pause(300);
  t.mock.timers.tick(2 * MINUTE);
  await pause(50);
  t.mock.timers.tick(2 * MINUTE);

  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
  });
  assert.equal((await download(slow)).status, 200);
});

test('a download breaks off when its session ends, and shows nothing that was written afterwards', async () => {
  const robbed = await withDrafts('robbed', 70);
  const reader = (await download(robbed)).body?.getReader();
  await reader?.read();

  await setAccountStatus(byServer(app.clock.read), app.portico.identity, robbed, 'suspended');

  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
  });
});

test('a download that is read steadily goes on for as long as it takes', async (t) => {
  const steady = await withDrafts('steady', 70);
  t.mock.timers.enable({ apis: ['setInterval'] });

  const reader = (await download(steady)).body?.getReader();
  let bytes = 0;
  let next = 2_000_000;
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    bytes += piece.value.length;
    if (bytes < next) continue;
    next += 2_000_000;
    await pause(50);
    t.mock.timers.tick(2 * MINUTE);
  }

  assert.ok(bytes > 20_000_000);
});

test('others have a turn before each part of a download, however fast it is made and read', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  async function* pieces() {
    for (let number = 0; number < 50; number += 1) yield 'x'.repeat(64 * 1024);
  }
  const visitor = { visit: {} } as Visitor;
  const server = new Hono<PageEnv>().get('/', (c) => {
    c.set('visitor', visitor);
    return downloadOf(c, 'data.json', pieces());
  });
  const outgoing = new EventEmitter();

  const answer = await server.request('/', {}, { outgoing });
  setImmediate(count);
  const { length } = await answer.text();
  isOver = true;
  outgoing.emit('close');

  assert.equal(length, 50 * 64 * 1024);
  assert.ok(turns >= 45, `${turns} turns`);
});
