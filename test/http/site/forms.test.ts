// Every form and every page: only the session's own forms are accepted, and nothing is unescaped.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { byMember, byServer } from '../../../src/audit/doer.ts';
import { comment } from '../../../src/community/comment.ts';
import { BEGINNING } from '../../../src/community/feed.ts';
import { likePost } from '../../../src/community/like.ts';
import { removePost } from '../../../src/community/post.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { createPersonalToken } from '../../../src/oauth/personal-token.ts';
import { sql } from '../../../src/storage/engine/sql.ts';
import { openApp } from '../../support/app.ts';
import { Browser, formIn } from '../../support/browser.ts';
import { browserOf, person, publish } from '../../support/people.ts';
import { pagePatterns, pathsOf } from '../../support/tour.ts';
import { everyForm } from './every-form.ts';

const app = await openApp();
const { portico } = app;
after(() => app.close());
const bob = await person(portico, 'bob', 'Writes');
const other = await person(portico, 'mallory');
await portico.identity.writes.setRole(byServer(portico.clock), bob.id, 'operator');
const browser = await browserOf(app, 'bob');
const mallory = await browserOf(app, 'mallory');
const post = await publish(portico, bob, 'Stays as it is');
const gone = await publish(portico, bob, 'Stays removed');
await removePost(byMember(bob, app.clock.read), portico.community, gone);
const [others, liked] = [await publish(portico, other, 'Unliked'), await publish(portico, other, 'Liked')];
await likePost(byMember(bob, app.clock.read), portico.community, liked);
await likePost(byMember(other, app.clock.read), portico.community, post);
const comments = await comment(byMember(bob, app.clock.read), portico.community, post, 'Stays said');
const commentId = comments !== undefined && 'id' in comments ? comments.id : 0;
const page = await (await browser.open('/write')).text();
await browser.submit(page, '/write', { title: 'Stays a draft', body: 'x', action: 'draft' });
const [draft] = await portico.community.reads.draftsOf(bob.id, BEGINNING, 50);
const token = await createPersonalToken(byServer(portico.clock), portico.oauth, {
  userId: bob.id,
  name: 'Stays',
  days: 7,
  scopes: ['profile:read'],
});

async function formTokenOf(one: Browser): Promise<string> {
  const form = formIn(await (await one.open('/')).text(), '/language');
  return new Map(form).get('form_token') ?? '';
}

// All that a form could change. Views and the times of sessions are left out, because reading a page changes them.
const TABLES = [
  'users',
  'categories',
  'posts',
  'avatars',
  'comments',
  'likes',
  'notifications',
  'reports',
  'audit_events',
  'invitations',
  'mails',
  'mail_tokens',
  'clients',
  'grants',
  'personal_tokens',
  'site_settings',
  'site_texts',
  'site_pictures',
] as const;

async function state(): Promise<string> {
  const rows: unknown[] = [(await browser.open('/settings/security')).status, browser.cookie('language')];
  for (const table of TABLES) {
    const text = [`SELECT * FROM ${table}`];
    rows.push(await portico.database.rows(sql(Object.assign(text, { raw: text }))()));
  }
  return JSON.stringify(rows);
}

const forms = everyForm({
  post,
  draft: draft?.id ?? 0,
  gone,
  others,
  liked,
  comment: commentId,
  token: 'id' in token ? token.id : 0,
  member: other.id,
  setupToken: await portico.setupToken(),
});

test('Every form of the site is tested here', () => {
  const missing = pagePatterns('form').filter((pattern) => {
    const paths = pathsOf(pattern);
    return !forms.some(([path]) => paths.test(path));
  });

  assert.deepEqual(missing, []);
});

describe('A form from another session is refused with 403 and changes nothing:', () => {
  for (const [path, fields] of forms) {
    test(path, async () => {
      const before = await state();
      const foreign = [{}, { form_token: '' }, { form_token: await formTokenOf(mallory) }];

      for (const formToken of foreign) {
        const pairs = Object.entries({ ...fields, ...formToken });
        const body = /\/(?:pictures?|logo)$/.test(path) ? new FormData() : new URLSearchParams();
        for (const [name, value] of pairs) body.append(name, value);
        const answer = await browser.open(path, { method: 'POST', body });

        assert.equal(answer.status, 403);
        assert.match(await answer.text(), /This form is out of date/);
      }
      assert.equal(await state(), before);
    });
  }
});

test('A form that another site sends is refused, even with the right token', async () => {
  const body = new URLSearchParams({ bio: 'Changed', form_token: await formTokenOf(browser) });

  const answer = await browser.open('/settings/profile', {
    method: 'POST',
    body,
    headers: { 'Sec-Fetch-Site': 'cross-site' },
  });

  assert.equal(answer.status, 403);
  assert.equal((await portico.identity.reads.findUser(bob.id))?.bio, 'Writes');
});

test('A body that is not a form, or is too large, is answered with a page', async () => {
  const json = await browser.open('/write', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });
  const large = await browser.post('/write', new URLSearchParams({ body: 'x'.repeat(1024 * 1024) }));

  assert.equal(json.status, 415);
  assert.match(await json.text(), /This is not a form[\s\S]*Error id/);
  assert.equal(large.status, 413);
  assert.match(await large.text(), /This is too long/);
});

const FORM = 'application/x-www-form-urlencoded';

test('Of visitors who are no members only short forms are read, and of members long ones in UTF-8', async () => {
  const post = (from: Browser, path: string, body: string) =>
    from.open(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': FORM },
    });
  const stranger = new Browser(app.url);
  const fieldOf = (length: number, unit: string) => `body=${unit.repeat(length / unit.length)}`;

  assert.equal((await post(stranger, '/login', fieldOf(60_000, 'x'))).status, 403, 'it was read');
  assert.match(
    await (await post(stranger, '/login', fieldOf(90_000, 'x'))).text(),
    /out of date[\s\S]*Go back and copy your text/,
  );
  assert.equal((await post(browser, '/write', fieldOf(90_000, 'x'))).status, 403, 'it was read');
  assert.equal((await post(browser, '/write', fieldOf(90_000, '%E4'))).status, 400);
  assert.equal((await post(browser, '/write', fieldOf(90_000, '%E4%B8%AD'))).status, 403);
});

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '</textarea><script>alert(1)</script>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](https://evil.example/pixel.png)',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><button>x</button></form>',
  '<style>body{display:none}</style>',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
];

/** Return the tags of a page that could run code or load from elsewhere, judged by their attributes. */
function activeParts(html: string): string[] {
  const tags = [...html.matchAll(/<[a-z](?:"[^"]*"|[^">])*>/gi)].map(([tag]) => tag);
  return tags.filter((tag) => {
    if (
      /^<script src="\/(?:copy|editor|fresh|keys|mentions|pictures|press|quote|toolbar)\.[0-9a-f]{12}\.js" defer>$/.test(
        tag,
      )
    )
      return false;
    // Data, which browsers don't run.
    if (tag === '<script type="application/ld+json">') return false;
    const names = tag.replace(/="[^"]*"/g, '=');
    const leadsTo = [...tag.matchAll(/\s(href|src|action)="([^"]*)"/g)];
    return (
      /^<(script|iframe|object|embed|style|base)\b/i.test(tag) ||
      /\son\w+\s*=/i.test(names) ||
      leadsTo.some(([, name, value = '']) => !isHarmless(name === 'href', value))
    );
  });
}

function isHarmless(isLink: boolean, value: string): boolean {
  const isOwn = value.startsWith(`${app.url}/`);
  return /^[/#](?!\/)/.test(value) || (isLink && (isOwn || /^https:\/\//.test(value)));
}

describe('Members can’t put active content into a page:', () => {
  for (const attack of attacks) {
    test(attack, async () => {
      // Stays within the limit on posts an hour.
      app.clock.advance(HOUR);
      const write = await (await browser.open('/write')).text();
      const preview = await browser.submit(write, '/write', {
        title: attack,
        body: attack,
        action: 'preview',
      });
      const publishing = await browser.submit(write, '/write', {
        title: attack,
        body: attack,
        action: 'publish',
      });
      const address = publishing.headers.get('location') ?? '';
      const path = /^\/posts\/\d+/.exec(address)?.[0] ?? '';
      const profile = await (await browser.open('/settings/profile')).text();
      await browser.submit(profile, '/settings/profile', { bio: attack });
      const tokens = await (await browser.open('/settings/tokens')).text();
      const creation = await browser.submit(tokens, '/settings/tokens', {
        name: attack,
        scope: 'posts:read',
      });

      const pages = [await creation.text(), await preview.text()];
      const lists = ['/', '/popular', '/categories/general', `/search?q=${encodeURIComponent(attack)}`];
      for (const place of [
        ...lists,
        '/u/bob',
        address,
        path,
        `${path}/edit`,
        `${path}/remove`,
        '/settings/profile',
      ]) {
        pages.push(await (await browser.open(place)).text());
      }
      const query = new URLSearchParams({ name: attack, scopes: attack, expires: attack, return_to: attack });
      for (const prefilled of ['/settings/tokens', '/signup', '/login', '/setup']) {
        pages.push(await (await browser.open(`${prefilled}?${query}`)).text());
      }
      const visitor = new Browser(app.url);
      await visitor.open('/signup');
      const joining = await (await visitor.open('/signup')).text();
      pages.push(
        await (
          await visitor.submit(joining, '/signup', { username: attack, password: 'x', email: attack })
        ).text(),
      );

      assert.equal(publishing.status, 303);
      for (const html of pages) assert.deepEqual(activeParts(html), []);
    });
  }
});

test('Every page forbids framing, and scripts and content of other sites, and is not cached', async () => {
  for (const path of ['/', '/u/bob', `/posts/${post}`, '/search', '/settings/tokens', '/docs', '/nothing']) {
    const { headers } = await browser.open(path);
    // The scripts of the form for comments send pictures and ask for members to suggest.
    const connections = path === `/posts/${post}` ? "connect-src 'self'; " : '';

    assert.equal(
      headers.get('content-security-policy'),
      `default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; ${connections}script-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      path,
    );
    assert.equal(headers.get('cache-control'), 'no-store', path);
  }
});
