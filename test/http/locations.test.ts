// No value of a request reaches a Location header as it is: line breaks and special characters are encoded or refused.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type App, openApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { browserOf, notebook, PASSWORD, person, type RegisteredClient } from '../support/people.ts';
import { authorizationRequest } from '../support/relying-party.ts';

const CHARACTERS = [
  '\r\nSet-Cookie: planted=1',
  '\n',
  'é',
  '状态',
  '\u2028',
  '\0',
  '\uFFFD',
  '"<>\\',
  '//evil.example',
];

let app: App;
let client: RegisteredClient;
before(async () => {
  app = await openApp();
  client = await notebook(app.portico);
  await person(app.portico, 'alice');
});
after(() => app.close());

function assertHarmless(answer: Response): void {
  assert.ok(answer.status < 500, `${answer.status}`);
  assert.doesNotMatch(answer.headers.getSetCookie().join(), /planted/);
  const location = answer.headers.get('location');
  if (location === null) return;
  assert.match(location, /^[\x21-\x7e]+$/);
  const { origin } = new URL(location, app.url);
  assert.ok([app.url, new URL(client.redirectUri).origin].includes(origin), location);
}

async function formTokenOf(browser: Browser, path: string): Promise<string> {
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(await browser.read(path)) ?? [];
  return token;
}

for (const characters of CHARACTERS) {
  describe(`with ${JSON.stringify(characters)}`, () => {
    for (const prefix of ['', '/', '/posts/']) {
      test(`return_to of the sign-in and the language forms, after "${prefix}"`, async () => {
        const visitor = new Browser(app.url);
        const return_to = prefix + characters;
        const form_token = await formTokenOf(visitor, '/login');

        const language = { form_token, language: 'en', return_to };
        assertHarmless(await visitor.post('/language', new URLSearchParams(language)));
        const login = { form_token, username: 'alice', password: PASSWORD, return_to };
        assertHarmless(await visitor.post('/login', new URLSearchParams(login)));
      });
    }

    test('authorization requests, with and without a session', async () => {
      const browsers = [new Browser(app.url), await browserOf(app, 'alice')];
      for (const name of ['state', 'scope', 'prompt', 'login_hint', 'nonce', 'unknown', 'redirect_uri']) {
        const request = authorizationRequest(client, { [name]: characters });
        for (const browser of browsers) {
          assertHarmless(await browser.open(`/oauth/authorize?${request}`));
          assertHarmless(await browser.post('/oauth/authorize', request));
        }
      }
    });

    test('requests to sign out', async () => {
      const visitor = new Browser(app.url);
      for (const name of ['state', 'client_id', 'post_logout_redirect_uri', 'id_token_hint', 'unknown']) {
        assertHarmless(await visitor.post('/oauth/logout', new URLSearchParams({ [name]: characters })));
      }
    });

    test('addresses of pages', async () => {
      const visitor = new Browser(app.url);
      const encoded = encodeURIComponent(characters);
      for (const path of ['/posts/1', '/posts/1/publish', '/u/alice', '/comments/1', '/settings/apps/']) {
        assertHarmless(await visitor.open(`${path}${encoded}`));
        assertHarmless(await visitor.open(`${path}/${encoded}/`));
        assertHarmless(await visitor.open(`${path}?x=${encoded}`));
      }
    });
  });
}
