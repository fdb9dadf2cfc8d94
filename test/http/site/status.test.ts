// The page with the status of the service, and what the documentation says about its future.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { HOUR } from '../../../src/lib/clock.ts';
import { VERSION } from '../../../src/lib/version.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { person } from '../../support/people.ts';
import { ask, tokenOf } from '../api/callers.ts';

const app = await openApp();
after(() => app.close());

test('Everyone can see whether the service works, since when it runs, and its version', async () => {
  app.clock.advance(3 * HOUR);
  const answer = await new Browser(app.url).open('/status');
  const page = await answer.text();

  assert.equal(answer.status, 200);
  assert.match(page, /The site, the sign-in and the API work\./);
  assert.match(page, />3 hours ago</);
  assert.ok(page.includes(`Portico ${VERSION}`));
});

test('The page is there while the database is not, in the visitor’s language, and says so', async (t) => {
  const broken = await openApp();
  t.after(() => broken.close().catch(() => undefined));
  await broken.portico.database.close();
  const answer = await new Browser(broken.url, 'zh').open('/status');

  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '5');
  assert.match(await answer.text(), /无法连接数据库/);
});

test('No answer of the API announces an end, as the documentation says', async () => {
  const token = await tokenOf(app, await person(app.portico, 'alice'));
  for (const path of ['/', '/me', '/me/posts', '/openapi.json']) {
    const { headers } = await ask(app, path, token);
    assert.deepEqual([headers.get('deprecation'), headers.get('sunset')], [null, null]);
  }
  assert.match(await new Browser(app.url).read('/docs/deprecation'), /Nothing is deprecated now\./);
});

test('The sample in the deprecation policy warns of an end', async (t) => {
  const chapter = readFileSync('docs/developers/deprecation.md', 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(chapter)?.[1] ?? '';
  const { warnOfEnd } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const warn = t.mock.method(console, 'warn', () => {});

  warnOfEnd(new Response('', { headers: { Sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' } }));
  warnOfEnd(new Response(''));
  assert.deepEqual(
    warn.mock.calls.map(({ arguments: [text] }) => text),
    [' ends on Sat, 01 Jan 2028 00:00:00 GMT'],
  );
});

test('The commands in the chapter about the status work', async () => {
  const chapter = readFileSync('docs/developers/status.md', 'utf8');
  const paths = [...chapter.matchAll(/^curl -s \{\{base_url\}\}(\S+)$/gm)].map(([, path]) => path);

  assert.deepEqual(paths, ['/healthz', '/readyz']);
  const answers = await Promise.all(paths.map(async (path) => (await fetch(app.url + path)).text()));
  assert.deepEqual(answers, ['{"status":"alive"}', '{"status":"ready"}']);
});

test('What changed for applications begins with the version that runs', () => {
  for (const file of ['docs/developers/changes.md', 'docs/developers/zh/changes.md']) {
    const [, version] = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync(file, 'utf8')) ?? [];
    assert.equal(version, VERSION, file);
  }
});
