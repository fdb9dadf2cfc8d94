// A site that only members can read.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OPEN_PAGES, SITE_PAGES } from '../../../src/http/site/pages.ts';
import { openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { member, PASSWORD, publish } from '../../support/people.ts';
import { addPersonalToken } from '../../support/seeding.ts';

const app = await openApp();
after(() => app.close());

const olivia = await member(app, 'olivia', { isOperator: true });
const post = await publish(app.portico, olivia, 'Our secret');
const visitor = new Browser(app.url);

const settings = await olivia.browser.read('/operator/settings');
assert.equal((await visitor.open(`/posts/${post}`)).status, 200);
await olivia.browser.submit(settings, '/operator/settings', { reading: 'members' });

describe('Where only members can read', () => {
  test('a visitor signs in first, and then sees the page', async () => {
    const answer = await visitor.open(`/posts/${post}`);

    const login = `/login?${new URLSearchParams({ return_to: `/posts/${post}` })}`;
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, login]);
    assert.match(await visitor.read(login), /Only members can read Portico\./);
    const reader = new Browser(app.url);
    const signedIn = await reader.signIn('olivia', PASSWORD, `/posts/${post}`);
    assert.equal(signedIn.headers.get('location'), `/posts/${post}`);
    assert.match(await (await reader.follow(`/posts/${post}`)).text(), /Our secret/);
  });

  test('no other address answers a visitor, whether or not it exists', async () => {
    const closed = SITE_PAGES.filter((page) => page.method === 'GET' && !OPEN_PAGES.includes(page));
    const paths = closed.map(({ path }) =>
      path
        .replace(/:file\{.*\.svg\}/, '1.svg')
        .replace(/:file\{.*\}/, `1-${'a'.repeat(12)}.webp`)
        .replace(/:change\{[^}]*\}/, 'suspend')
        .replace(/:text\{[^}]*\}/, 'rules')
        .replace(/:(slug|username|client_id)/, 'olivia')
        .replace(/:id(\{[^}]*\})?/, '1'),
    );

    for (const path of [...paths, '/nothing-here', '/posts/1/', '/robots']) {
      const answer = await visitor.open(path);
      assert.equal(answer.status, 303, path);
      assert.match(answer.headers.get('location') ?? '', /^\/login\?/, path);
      assert.match(answer.headers.get('cache-control') ?? '', /no-store/, path);
    }
  });

  test('joining, help with the password, the documentation and health stay open', async () => {
    for (const path of [
      '/login',
      '/signup',
      '/forgot-password',
      '/help',
      '/docs',
      '/docs/api',
      '/healthz',
      '/icon.svg',
    ]) {
      assert.equal((await visitor.open(path)).status, 200, path);
    }
    assert.equal((await visitor.open('/rules')).status, 404);
    assert.equal((await visitor.open('/oauth/authorize')).status, 400);
  });

  test('a picture is cached by the member’s browser only', async () => {
    const picture = await olivia.browser.open(`/avatars/${olivia.id}.svg`);

    assert.equal(picture.headers.get('cache-control'), 'private, max-age=86400');
  });

  test('an application with a token reads as before', async () => {
    const token = await addPersonalToken(app.portico, olivia.id);
    const headers = { Authorization: `Bearer ${token.text}` };

    assert.equal((await fetch(`${app.url}/api/open/v1/me`, { headers })).status, 200);
  });
});
