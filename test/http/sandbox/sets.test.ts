// The sets of developers: what each has, that they are separate, and how they end.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { memoryStore, PorticoApplication } from '../../../packages/client/src/index.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { settingsOf } from '../../../src/site/site.ts';
import { Fragment, sql } from '../../../src/storage/engine/sql.ts';
import { Browser } from '../../support/browser.ts';
import { type Developer, openSandbox, type SandboxApp, startSet } from '../../support/sandbox.ts';

const app = await openSandbox();
after(() => app.close());

test('The front page says what a sandbox is, in English and Chinese, and starts one with one button', async () => {
  const browser = new Browser(app.url);
  const page = await browser.read('/');
  assert.match(page, /Nothing here is real, and everything is erased after 24 hours or when the server/);
  assert.match(
    await new Browser(app.url, 'zh').read('/'),
    /这里的一切都不是真实的，24 小时后或服务器重启时全部清除/,
  );

  const answer = await browser.submit(page, '/sandbox/start');
  assert.equal(answer.headers.get('location'), '/sandbox');
  const set = await browser.read('/sandbox');
  assert.match(set, /CLIENT_ID=app_\w+\nCLIENT_SECRET=svcs_\w+/);
  assert.match(await browser.read('/settings/profile'), /alice-\w{6}/);
  assert.match(await browser.read('/'), /You have a sandbox\. It is erased on/);
});

test('A developer switches between members, and the consent page asks for that member', async () => {
  const developer = await startSet(app);
  const { browser, set } = developer;
  assert.match(await browser.read('/sandbox'), /Change it, see its requests/);
  for (const [index, name] of [/林小禾-/, /bob-/, /alice-/].entries()) {
    const member = String(set.members[(index + 1) % 3]?.id);
    await browser.submit(await browser.read('/sandbox'), '/sandbox/sign-in', { member });
    assert.match(await browser.read('/settings/profile'), name);
    assert.equal((await browser.read('/sandbox')).includes('sign in as the first member'), index < 2);
  }
  // At another browser, with the password.
  const phone = new Browser(app.url);
  const name = /(bob-\w+)/.exec(await browser.read('/sandbox'))?.[1] ?? '';
  assert.equal((await phone.signIn(name, set.password)).status, 303);
});

test('The members have posts of the kinds that applications trip over', async () => {
  const developer = await startSet(app);
  const read = async (index: number) => {
    const id = String(developer.set.members[index]?.id);
    const page = await developer.browser.read('/sandbox');
    await developer.browser.submit(page, '/sandbox/sign-in', { member: id });
    const session = await signIn(developer);
    return { profile: await session.me(), posts: await Array.fromAsync(session.posts()) };
  };
  const [alice, lin, bob] = [await read(0), await read(1), await read(2)];

  assert.equal(alice.posts.length, 27);
  assert.ok(alice.posts.some(({ title }) => title === 'A <b>title</b> & "quotes" that need escaping'));
  assert.ok(alice.posts.some(({ title }) => title.length > 100));
  assert.equal(alice.profile.member, true);
  assert.match(lin.profile.username, /^林小禾-/);
  assert.ok(lin.posts.some(({ title }) => title.includes('𠀀')));
  assert.deepEqual([bob.profile.bio, bob.posts.length], ['', 0]);
});

test('The console, the inspector and the settings work as in a community', async () => {
  const developer = await startSet(app);
  await signIn(developer);
  await app.portico.inspector.flush();
  const { browser, set } = developer;

  assert.match(await browser.read('/developers/apps'), /Test application/);
  assert.match(await browser.read(`/developers/apps/${set.clientId}/requests`), /authorization_code|token/i);
  assert.match(await browser.read('/settings/apps'), /Test application/);
  assert.equal((await browser.open('/developers/apps/new')).status, 200);
});

describe('Two developers', () => {
  test('see nothing of each other', async () => {
    const [ada, ben] = [await startSet(app), await startSet(app)];
    const page = await ada.browser.read('/sandbox');
    const [, alice = ''] = /href="(\/u\/alice-\w+)"/.exec(page) ?? [];
    const [, post = ''] = /href="(\/posts\/[^"#]+)"/.exec(await ada.browser.read(alice)) ?? [];

    assert.equal((await ada.browser.follow(post)).status, 200);
    for (const [path] of page.matchAll(/(?<=href=")\/u\/[^"]+/g)) {
      assert.equal((await ada.browser.open(path)).status, 200, path);
    }
    const names = [...page.matchAll(/(?<=href=")\/u\/[^"]+/g)].map(([path]) => path);
    for (let member = 0; member < 3; member += 1) {
      const own = await ada.browser.read(names[member] ?? '');
      for (const [path] of own.matchAll(/(?<=href=")\/posts\/[^"#?]+/g)) {
        const shown = await (await ada.browser.follow(path)).text();
        const named = [...shown.matchAll(/(?<=href=")\/u\/[^"/]+/g)].map(([name]) => name);
        assert.deepEqual(
          named.filter((name) => !names.includes(name)),
          [],
          path,
        );
      }
    }
    assert.equal((await ada.browser.open(post.replace(/(\d)\/.*/, '$1/edit'))).status, 404);
    for (const path of [alice, post, post.replace(/(\d)\/.*/, '$1')]) {
      assert.equal((await ben.browser.open(path)).status, 404, path);
      assert.equal((await new Browser(app.url).open(path)).status, 303, path);
    }
    for (const [developer, status] of [
      [ada, 200],
      [ben, 404],
    ] as const) {
      for (const path of [`/developers/apps/${ada.set.clientId}`, `/settings/apps/${ada.set.clientId}`])
        assert.equal((await developer.browser.open(path)).status, status, path);
    }
    for (const path of [
      '/popular',
      '/categories',
      '/search?q=bread',
      '/feed.atom',
      '/write',
      '/signup',
      '/setup',
    ]) {
      assert.equal((await ben.browser.open(path)).status, 404, path);
    }
    assert.equal(await (await fetch(`${app.url}/robots.txt`)).text(), 'User-agent: *\nDisallow: /\n');
  });

  test('can’t change each other’s members or meet each other’s faults', async () => {
    const [ada, ben] = [await startSet(app), await startSet(app)];
    const session = await signIn(ben);
    await ada.order('suspended', { member: String(ben.set.members[0]?.id) });
    await ada.order('api_limited');

    await session.me();
    assert.equal(ada.waits('api'), true);
    const page = await ada.browser.read('/sandbox');
    await ada.browser.submit(page, '/sandbox/sign-in', { member: String(ben.set.members[1]?.id) });
    assert.match(await ada.browser.read('/settings/profile'), /alice-/);
  });
});

test('Strangers read nothing, also if the server needs its settings before any page does', async (t) => {
  const sandbox = await openSandbox();
  t.after(() => sandbox.close());
  await settingsOf(sandbox.portico.site);
  const { browser } = await startSet(sandbox);
  const [, alice = ''] = /href="(\/u\/alice-\w+)"/.exec(await browser.read('/sandbox')) ?? [];

  const answer = await new Browser(sandbox.url).open(alice);

  assert.match(answer.headers.get('location') ?? '', /^\/login\?/);
});

test('A set is erased after 24 hours, with every row, and before that if its developer wants', async () => {
  const before = await countRows();
  const developer = await startSet(app);
  const session = await signIn(developer);
  await session.me();
  await developer.order('suspended', { member: String(developer.set.members[1]?.id) });
  const { browser } = developer;
  const profile = await browser.read('/settings/profile');
  await browser.submit(profile, '/settings/profile', { bio: 'My own words.' });
  await flush();
  assert.notDeepEqual(await countRows(), before);

  app.clock.advance(24 * HOUR - 1);
  await app.portico.purge();
  assert.equal((await browser.open('/sandbox')).status, 200);
  app.clock.advance(1);
  assert.equal((await browser.open('/sandbox')).headers.get('location'), '/');
  while ((await app.portico.purge()) > 0);
  assert.deepEqual(app.sets.find(developer.set.key), undefined);
  const empty = await countRows();
  assert.deepEqual(Object.keys(empty), [
    'categories',
    'locks',
    'mailed_notifications',
    'migrations',
    'signing_keys',
    'users',
  ]);

  const another = await startSet(app);
  await signIn(another);
  await flush();
  const erase = await another.browser.read('/sandbox');
  await another.browser.submit(erase, '/sandbox/erase');
  assert.deepEqual(await countRows(), empty);
  assert.equal((await another.browser.open('/settings/profile')).status, 303);
});

test('The oldest set of a network makes room for a sixth, and Start can’t be pressed without end', async () => {
  app.clock.advance(24 * HOUR);
  await app.portico.purge();
  const developers: Developer[] = [];
  for (let count = 0; count < 6; count += 1) developers.push(await startSet(app));

  assert.deepEqual(
    developers.map(({ set }) => app.sets.find(set.key) !== undefined),
    [false, true, true, true, true, true],
  );
  const statuses = [];
  for (let count = 0; count < 6; count += 1) {
    const browser = new Browser(app.url);
    statuses.push((await browser.submit(await browser.read('/'), '/sandbox/start')).status);
  }
  assert.deepEqual(statuses, [303, 303, 303, 303, 429, 429]);
});

test('Start is limited for a whole IPv6 network, and for all networks together, apart for those that begin', async (t) => {
  const sandbox = await openSandbox({ TRUST_PROXY: '127.0.0.1' });
  t.after(() => sandbox.close());
  const startFrom = async (address: string) => {
    const browser = new Browser(sandbox.url);
    browser.address = address;
    return (await browser.submit(await browser.read('/'), '/sandbox/start')).status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push(await startFrom(`2001:db8:1:${n}::1`));
  assert.deepEqual(statuses.slice(9), [303, 429]);

  // Four networks take all the starts but the first ones of others.
  for (let n = 0; n < 10; n += 1) assert.equal(await startFrom('192.0.2.1'), 303);
  await hits(sandbox, 'again', 22);
  assert.equal(await startFrom('198.51.100.1'), 303);
  assert.equal(await startFrom('198.51.100.1'), 429);
  await hits(sandbox, 'first', 37);
  assert.equal(await startFrom('203.0.113.1'), 429);
});

async function hits({ portico }: SandboxApp, starts: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    assert.ok((await portico.counter.hit(`sandbox:${starts}`, 40, 600)).allowed);
}

test('A sandbox offers no upload, and a member can’t close the account', async () => {
  app.clock.advance(HOUR);
  const { browser, set } = await startSet(app);
  const paths = [
    '/settings/account/close',
    '/settings/profile/picture',
    `/developers/apps/${set.clientId}/logo`,
  ];
  const pages = ['/settings/account', '/settings/profile', `/developers/apps/${set.clientId}/settings`];

  for (const page of pages) {
    const text = await browser.read(page);
    for (const path of paths) assert.ok(!text.includes(path), path);
    assert.doesNotMatch(text, /type="file"/);
    for (const path of paths) {
      assert.equal((await browser.open(path)).status, 404, path);
      assert.equal((await browser.post(path, new URLSearchParams())).status, 404, path);
    }
  }
});

async function signIn(developer: Developer) {
  const application = new PorticoApplication({
    issuer: app.url,
    clientId: developer.set.clientId,
    clientSecret: developer.set.clientSecret,
    redirectUri: 'http://127.0.0.1:8400/callback',
    now: app.clock.read,
  });
  const { url, attempt } = await application.beginSignIn();
  return application.finishSignIn(await developer.allow(url), attempt, memoryStore());
}

/** Write what waits in memory. */
async function flush(): Promise<void> {
  await app.portico.mergeDiary();
  await app.portico.numbers.flush();
  await app.portico.inspector.flush();
}

// Notes for the cache, and what is counted for a while or only once for the server.
const OF_SERVER =
  /^(?:changes|attempts|sqlite_sequence|background_work|diary_batches|diary_merge|post_search.*)$/;

/** Count the rows of every table that has some. */
async function countRows(): Promise<Record<string, number>> {
  const { database } = app.portico;
  const tables = await database.rows(
    sql<void, { name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`(),
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.filter((table) => !OF_SERVER.test(table.name))) {
    const table = new Fragment(name);
    const row = await database.first(sql<void, { count: number }>`SELECT count(*) AS count FROM ${table}`());
    if (row !== undefined && row.count > 0) counts[name] = row.count;
  }
  return counts;
}
