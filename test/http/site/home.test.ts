// The home page.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import { createFirstOperator } from '../../../src/identity/user-creation.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, person, publish } from '../../support/people.ts';

const app = await openApp({ SITE_NAME: 'Lantern' });
const { portico } = app;
after(() => app.close());

test('A community without an operator says where to find the set-up link', async () => {
  const answer = await new Browser(app.url).open('/');

  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(page, /This community is not set up yet/);
  assert.match(page, /printed in the terminal/);
  assert.ok(!page.includes(await portico.setupToken()));
});

test('The newest published posts are listed with author, category, excerpt, age and counts', async () => {
  await createFirstOperator(
    byServer(portico.clock),
    portico.identity,
    { username: 'keeper', password: PASSWORD },
    'en',
  );
  const bob = await person(portico, 'bob');
  await publish(portico, bob, 'The older one');
  await publish(portico, bob, 'The newer one', 'Flour **paste** and a bread knife.');
  app.clock.advance(2 * HOUR);

  const page = await (await new Browser(app.url).open('/')).text();

  assert.ok(page.indexOf('The newer one') < page.indexOf('The older one'));
  for (const words of [
    'href="/u/bob"',
    'General',
    'Flour paste and a bread knife.',
    '2 hours ago',
    '1 min read',
    'src="/avatars/2.svg"',
    '2 members',
  ]) {
    assert.ok(page.includes(words), words);
  }
});

test('The name of the other language, hearts and ellipses are characters, not HTML entities', async () => {
  const carol = await person(portico, 'carol');
  const long = await publish(portico, carol, 'A long one', 'Flour and water. '.repeat(30));
  const visitor = new Browser(app.url);

  const list = await visitor.read('/');
  const post = await visitor.read(`/posts/${long}`);

  assert.match(list, /Flour and…/);
  assert.match(list, />\s*中文\s*</);
  assert.match(post, />\s*♡\s*</);
});

test('A browser that prefers Chinese gets Chinese pages, marked as Chinese', async () => {
  const answer = await new Browser(app.url, 'zh-CN').open('/');

  const page = await answer.text();
  assert.equal(answer.headers.get('content-language'), 'zh-Hans');
  assert.match(page, /<html lang="zh-Hans">/);
  assert.match(page, /最新文章/);
  assert.match(page, /2小时前/);
});

test('A chosen language is remembered, and the visitor stays on the same page', async () => {
  const browser = new Browser(app.url);
  const page = await (await browser.open('/u/bob?page=1')).text();

  const answer = await browser.submit(page, '/language', { language: 'zh' });

  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('location'), '/u/bob?page=1');
  assert.match(await (await browser.open('/')).text(), /最新文章/);
});

test('A visitor who only reads gets no cookie, and can choose a language without a form token', async () => {
  const answer = await fetch(`${app.url}/`);
  const choose = (headers: Record<string, string>) =>
    fetch(`${app.url}/language`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ language: 'zh' }),
      redirect: 'manual',
    });

  const own = await choose({});
  const foreign = await choose({ 'Sec-Fetch-Site': 'cross-site' });

  assert.deepEqual(answer.headers.getSetCookie(), []);
  assert.doesNotMatch(await answer.text(), /form_token/);
  assert.match(own.headers.getSetCookie().join(), /^language=zh;/);
  assert.equal(foreign.status, 403);
  assert.deepEqual(foreign.headers.getSetCookie(), []);
});

test('An unknown address is answered with 404 and a page', async () => {
  for (const path of ['/nothing', '/posts/999', '/posts/0', '/posts/1x', '/u/nobody', '/docs/nothing']) {
    const answer = await new Browser(app.url).open(path);

    assert.equal(answer.status, 404, path);
    assert.match(await answer.text(), /Page not found/, path);
  }
});
