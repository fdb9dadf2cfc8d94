// The headers that protect an answer are on every answer: each page for each visitor, each file, each endpoint.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PATHS } from '../../src/http/routes.ts';
import { EDITOR_SCRIPT, FORM_POST_SCRIPT, STYLE_PATH } from '../../src/http/static-files.ts';
import { type App, openApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { browserOf } from '../support/people.ts';
import { freePort } from '../support/services.ts';
import { seedEveryPage, type Who } from '../support/tour.ts';

/** An answer, and what it answers. */
interface Answered {
  what: string;
  answer: Response;
}

/** The program, called over http, as a proxy that ends TLS calls it. */
let app: App;
let inside: string;
let pages: Answered[];
let programs: Answered[];

before(async () => {
  const port = await freePort();
  inside = `http://127.0.0.1:${port}`;
  app = await openApp({ PORT: String(port), BASE_URL: 'https://community.example' });
  pages = await answersForPeople();
  programs = await answersForPrograms();
});
after(() => app.close());

async function answersForPeople(): Promise<Answered[]> {
  const visits = await seedEveryPage(app.portico);
  const browsers: Record<Who, Browser> = {
    nobody: new Browser(inside),
    alice: await browserOf({ url: inside }, 'alice'),
    bob: await browserOf({ url: inside }, 'bob'),
    olivia: await browserOf({ url: inside }, 'olivia'),
  };
  const answers: Answered[] = [];
  for (const { who, path } of visits) {
    answers.push({ what: `${who} ${path}`, answer: await browsers[who].open(path) });
  }
  const { id } = (await app.portico.identity.reads.findUserByName('alice')) ?? { id: 0 };
  const files = [
    STYLE_PATH,
    EDITOR_SCRIPT,
    FORM_POST_SCRIPT,
    '/icon.svg',
    '/feed.atom',
    `/avatars/${id}.svg`,
  ];
  const failures = ['/nothing', '/settings/profile', '/login/', `/avatars/${id}-000000000000.webp`];
  for (const path of [...files, ...failures, '/healthz', '/readyz']) {
    answers.push({ what: path, answer: await browsers.nobody.open(path) });
  }
  for (const [path, init] of [
    ['/login', { method: 'POST', body: new URLSearchParams({ username: 'alice' }) }],
    ['/login', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }],
    ['/language', { method: 'POST', body: new URLSearchParams({ language: 'zh', return_to: '/' }) }],
    ['/oauth/authorize', { method: 'OPTIONS' }],
    ['/', { method: 'DELETE' }],
  ] as [string, RequestInit][]) {
    answers.push({ what: `${init.method} ${path}`, answer: await browsers.nobody.open(path, init) });
  }
  return answers;
}

async function answersForPrograms(): Promise<Answered[]> {
  const { api, token, revoke, userinfo, openidConfiguration, authorizationServer, protectedResource, jwks } =
    PATHS;
  const paths = [api, `${api}/me`, `${api}/openapi.json`, `${api}/nothing`, token, revoke, userinfo];
  paths.push(PATHS.mcp, openidConfiguration, authorizationServer, protectedResource, jwks, '/api/nothing');
  const answers: Answered[] = [];
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
      const answer = await fetch(inside + path, { method, redirect: 'manual' });
      answers.push({ what: `${method} ${path}`, answer });
    }
  }
  return answers;
}

function header({ answer }: Answered, name: string): string {
  return answer.headers.get(name) ?? '';
}

describe('Every answer', () => {
  test('forbids browsers to guess its type, and any site to frame it', () => {
    assert.ok(pages.length > 70);
    for (const answered of [...pages, ...programs]) {
      assert.equal(header(answered, 'x-content-type-options'), 'nosniff', answered.what);
      assert.match(header(answered, 'content-security-policy'), /frame-ancestors 'none'/, answered.what);
    }
  });

  test('loads nothing that its policy does not name, and runs no inline script', () => {
    for (const answered of [...pages, ...programs]) {
      const policy = header(answered, 'content-security-policy');
      assert.match(policy, /^default-src 'none'/, answered.what);
      assert.doesNotMatch(policy, /unsafe|\*|data:/, answered.what);
    }
    for (const answered of pages) {
      if (!header(answered, 'content-type').startsWith('text/html')) continue;
      assert.match(header(answered, 'content-security-policy'), /base-uri 'none'/, answered.what);
    }
  });

  test('keeps browsers on https for two years', () => {
    for (const answered of [...pages, ...programs]) {
      assert.equal(
        header(answered, 'strict-transport-security'),
        'max-age=63072000; includeSubDomains',
        answered.what,
      );
    }
  });

  test('says its type, and its character set if it is text', async () => {
    for (const answered of [...pages, ...programs]) {
      const type = header(answered, 'content-type');
      if ((await answered.answer.clone().text()) !== '') assert.notEqual(type, '', answered.what);
      if (!/^text\/|xml/.test(type)) continue;
      assert.match(type, /; charset=utf-8$/i, answered.what);
    }
  });

  test('tells nothing about the software that made it', () => {
    for (const answered of [...pages, ...programs]) {
      for (const name of ['server', 'x-powered-by', 'via', 'x-runtime']) {
        assert.equal(header(answered, name), '', answered.what);
      }
    }
  });
});

describe('An answer for browsers', () => {
  test('sends no referrer, and is framed or loaded by no other site', () => {
    for (const answered of pages) {
      const isPicture = answered.what.startsWith('/avatars/') && answered.answer.status === 200;
      assert.equal(header(answered, 'referrer-policy'), 'no-referrer', answered.what);
      assert.equal(header(answered, 'x-frame-options'), 'DENY', answered.what);
      assert.equal(
        header(answered, 'cross-origin-resource-policy'),
        isPicture ? 'cross-origin' : 'same-origin',
        answered.what,
      );
      assert.equal(header(answered, 'access-control-allow-origin'), '', answered.what);
    }
  });

  test('sets only cookies that no other host can plant, and no script can read', async () => {
    const cookies = pages.flatMap(({ answer }) => answer.headers.getSetCookie());
    const signIn = new Browser(inside);
    const page = await signIn.read('/login');
    const answer = await signIn.submit(page, '/login', {
      username: 'alice',
      password: 'a long walk in the rain',
    });
    cookies.push(...answer.headers.getSetCookie());

    assert.deepEqual([...new Set(cookies.map((cookie) => cookie.split('=')[0]))].sort(), [
      '__Host-confirm_link',
      '__Host-disown_link',
      '__Host-invitation_link',
      '__Host-keep_link',
      '__Host-known',
      '__Host-language',
      '__Host-reset_link',
      '__Host-session',
      '__Host-setup_link',
      '__Host-undo_link',
      '__Host-unsubscribe_link',
      '__Host-visitor',
    ]);
    for (const cookie of cookies) {
      assert.match(cookie, /; Path=\/(;|$)/);
      assert.match(cookie, /; HttpOnly/);
      assert.match(cookie, /; Secure/);
      assert.match(cookie, /; SameSite=Lax/);
      assert.doesNotMatch(cookie, /Domain/i);
    }
  });
});

test('An answer for programs can be read by pages of any origin, but never with cookies', () => {
  for (const answered of programs) {
    if (answered.what.endsWith('/api/nothing') && answered.answer.status === 404) continue;
    assert.match(header(answered, 'access-control-allow-origin'), /^\*?$/, answered.what);
    assert.equal(header(answered, 'access-control-allow-credentials'), '', answered.what);
    assert.deepEqual(answered.answer.headers.getSetCookie(), [], answered.what);
  }
});

test('A language that was chosen before the cookie had its prefix stays chosen', async () => {
  const browser = new Browser(inside);
  browser.setCookie('language', 'zh');
  assert.match(await browser.read('/login'), /<html lang="zh/);

  browser.setCookie('__Host-language', 'en');
  assert.match(await browser.read('/login'), /<html lang="en/);
});
