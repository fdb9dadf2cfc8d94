// The marks in pages by which other sites read a post, its comments, its author and lists (microformats.org).

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byMember } from '../../../src/audit/doer.ts';
import { comment, editComment } from '../../../src/community/comment.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, person, publish } from '../../support/people.ts';

const app = await openApp();
after(() => app.close());
const { portico } = app;
await member(app, 'olivia', { isOperator: true });
const bob = await person(portico, 'bob', 'Bakes & knits.');
const alice = await person(portico, 'alice');
const post = await publish(portico, bob, 'Rye', 'Two *days*.');
const by = byMember(alice, portico.clock);
const written = await comment(by, portico.community, post, 'That **smells** good.');
assert.ok(written !== undefined && 'id' in written);
const moment = `${new Date(app.clock.now).toISOString().slice(0, 19)}Z`;
const visitor = new Browser(app.url);

/** What is between the start of an element with this class and the next end of such an element. */
function partOf(page: string, name: string, element: string): string {
  const start = page.search(new RegExp(`<${element}[^>]* class="[^"]*\\b${name}\\b`));
  assert.ok(start >= 0, name);
  return page.slice(start, page.indexOf(`</${element}>`, start));
}

function assertHas(part: string, marks: Record<string, RegExp>): void {
  for (const [name, inside] of Object.entries(marks)) {
    const [, found] =
      new RegExp(`(<[a-z]+[^>]* class="[^"]*(?<![\\w-])${name}(?![\\w-])[\\s\\S]*)`).exec(part) ?? [];
    assert.ok(found !== undefined, name);
    assert.match(found, inside, name);
  }
}

describe('Other sites read', () => {
  test('a post, with its author, moment, category, address and text', async () => {
    const entry = partOf(await visitor.read(`/posts/${post}`), 'h-entry', 'article');

    assertHas(entry, {
      'p-name': /^<div[^>]*><h1>Rye<\/h1><\/div>/,
      'p-author':
        /^<a class="[^"]*h-card" href="\/u\/bob">\s*<img class="[^"]*u-photo"[^>]*src="\/avatars[^>]*>\s*bob/,
      'dt-published': new RegExp(`^<time[^>]*datetime="${moment}"`),
      'p-category': /^<a[^>]*href="\/categories\/general">General</,
      'u-url': new RegExp(`^<a[^>]*href="/posts/${post}/rye"`),
      'e-content': /^<div[^>]*>\s*<div class="prose"[^>]*><p>Two <em>days<\/em>/,
    });
  });

  test('a comment, with when it was edited', async () => {
    app.clock.advance(1000);
    await editComment(
      byMember(alice, portico.clock),
      portico.community,
      written.id,
      'That **smells** better.',
    );
    const cite = partOf(await visitor.read(`/posts/${post}`), 'h-cite', 'article');

    assertHas(cite, {
      'p-author': /^<a class="[^"]*h-card" href="\/u\/alice">/,
      'u-url': new RegExp(`^<a[^>]*href="/comments/${written.id}"`),
      'dt-published': new RegExp(`^<time[^>]*datetime="${moment}"`),
      'dt-updated': /^<time/,
      'e-content': /^<div[^>]*><div class="prose"><p>That <strong>smells<\/strong> better/,
    });
  });

  test('lists of posts as feeds', async () => {
    for (const path of ['/', '/categories/general', '/u/bob']) {
      const page = await visitor.read(path);
      assert.match(page, /<(?:main id="content"|div) class="h-feed">/, path);
      assertHas(partOf(page, 'h-entry', 'article'), {
        'p-name': new RegExp(`^<a class="u-url p-name" href="/posts/${post}/rye">\\s*Rye`),
        'p-summary': /^<p[^>]*>Two days\.</,
        // A member's own page doesn't repeat the name.
        ...(path !== '/u/bob' && { 'p-author': /^<a[^>]*h-card" href="\/u\/bob">(?:<img[^>]*>)?bob</ }),
        'dt-published': new RegExp(`^<time[^>]*datetime="${moment}"`),
      });
    }
    assert.doesNotMatch(await visitor.read('/login'), /h-feed|h-entry|h-card/);
  });

  test('a member, with name, picture, address and bio', async () => {
    assertHas(partOf(await visitor.read('/u/bob'), 'h-card', 'header'), {
      'p-name': /^<div[^>]*><h1>bob<\/h1>/,
      'u-photo': /^<img[^>]*src="\/avatars\//,
      'u-uid': /^<a class="u-url u-uid" href="\/u\/bob"/,
      'p-note': /^<p[^>]*>Bakes &amp; knits\.</,
    });
  });
});
