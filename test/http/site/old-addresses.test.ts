// The addresses that imported contents had: the server leads from them to the pages of today.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { byCommandLine } from '../../../src/audit/doer.ts';
import { openImportFile } from '../../../src/import/formats/import-file.ts';
import { importAll } from '../../../src/import/import-all.ts';
import { openReport } from '../../../src/import/report.ts';
import { type App, openApp } from '../../support/app.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { discourseBackup } from '../../support/discourse-backup.ts';
import { member, setStatus } from '../../support/people.ts';

async function importFile(app: App, path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content);
  const { format, ...file } = await openImportFile(path, undefined);
  const by = byCommandLine(app.portico.clock);
  const report = openReport(undefined);
  const options = { by, source: file.source, format, existingMembers: new Map(), report };
  await importAll(app.portico.imports, file, options, () => {});
  assert.deepEqual(report.firstRefusals, []);
}

const FORUM = {
  categories: [{ id: 5, name: 'Baking bread', slug: 'baking' }],
  users: [
    { id: 1, username: 'ann' },
    { id: 2, username: 'li' },
  ],
  topics: [{ id: 42, title: 'Why does my crust go soft?', category_id: 5, slug: 'crust' }],
  posts: [
    { id: 100, topic_id: 42, user_id: 1, raw: 'It does.' },
    { id: 101, topic_id: 42, post_number: 3, user_id: 2, raw: 'Let it cool.' },
  ],
};

const LINES = [
  { type: 'member', username: 'carol', address: 'https://old.example/profile.php?id=7' },
  { type: 'post', id: 9, author: 'carol', title: 'Elsewhere', body: 'Far.', address: '/Showthread/9-über/' },
  { type: 'post', id: 10, author: 'carol', title: 'Short', body: 'Near.', address: '/?p=10' },
  { type: 'post', id: 11, author: 'carol', title: 'Own', body: 'Own.', address: '/popular' },
  { type: 'post', id: 12, author: 'carol', title: 'Evil', body: 'Evil.', address: '//evil.example/x' },
];

describe('a link to an old address leads to the page of today', () => {
  let app: App;
  before(async () => {
    app = await openApp();
  });
  after(() => app.close());

  async function from(path: string): Promise<string | number> {
    const answer = await fetch(app.url + path, { redirect: 'manual' });
    return answer.status === 301 ? (answer.headers.get('location') ?? '') : answer.status;
  }

  test('from Discourse, and from an address that a record names', async (t) => {
    const folder = await temporaryFolder(t);
    await importFile(app, join(folder, 'forum.tar.gz'), discourseBackup(FORUM));
    await importFile(app, join(folder, 'a.jsonl'), LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));

    const paths = [
      '/t/crust/42',
      '/t/crust/42/',
      '/t/another-title/42?u=ann',
      '/t/42',
      '/t/crust/42/3',
      '/t/42/99',
      '/c/baking/5',
      '/c/food/baking/5/l/latest',
      '/u/li',
      '/profile.php?id=7',
      '/showthread/9-%C3%BCber',
      '/?p=10',
      '/x',
    ];
    assert.deepEqual(
      Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await from(path)]))),
      {
        '/t/crust/42': '/posts/1',
        '/t/crust/42/': '/posts/1',
        '/t/another-title/42?u=ann': '/posts/1',
        '/t/42': '/posts/1',
        '/t/crust/42/3': '/comments/1',
        '/t/42/99': '/posts/1',
        '/c/baking/5': '/categories/baking-bread',
        '/c/food/baking/5/l/latest': '/categories/baking-bread',
        '/u/li': '/u/li_1',
        '/profile.php?id=7': '/u/carol',
        '/showthread/9-%C3%BCber': '/posts/2',
        '/?p=10': '/posts/3',
        '/x': '/posts/5',
      },
    );
  });

  test('but a page of this site stays, and so does what is not known', async () => {
    assert.equal(await from('/popular'), 200);
    assert.equal(await from('/u/carol'), 200);
    assert.equal(await from('/?p=11'), 200);
    assert.equal(await from('/t/crust/43'), 404);
    assert.equal(await from('//evil.example/y'), 404);
    assert.equal((await fetch(`${app.url}/t/crust/42`, { method: 'POST' })).status, 404);
  });

  test('and it has the headers of every page', async () => {
    const answer = await fetch(`${app.url}/t/crust/42`, { redirect: 'manual' });
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(answer.headers.get('content-type'), null);
  });

  test('a closed account takes its old address with it', async () => {
    const { identity } = app.portico;
    const user = await identity.reads.findUserByName('li_1');
    await setStatus(identity, user?.id ?? 0, 'closed');

    assert.equal(await from('/u/li'), 404);
    assert.equal(await app.portico.community.reads.findOldAddress('/u/li'), undefined);
  });

  test('where only members can read, a visitor signs in first, whether or not there is such a post', async () => {
    const olivia = await member(app, 'olivia', { isOperator: true });
    const settings = await olivia.browser.read('/operator/settings');
    await olivia.browser.submit(settings, '/operator/settings', { reading: 'members' });

    for (const path of ['/?p=10', '/?p=11']) {
      const answer = await fetch(app.url + path, { redirect: 'manual' });
      const login = `/login?${new URLSearchParams({ return_to: path })}`;
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, login]);
    }
    const answer = await olivia.browser.open('/?p=10');
    assert.deepEqual([answer.status, answer.headers.get('location')], [301, '/posts/3']);
  });
});
