// An application's name and the parameters that it sends are text on every page of the flow, never markup.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, notebook, type Person, person, type RegisteredClient } from '../../support/people.ts';
import { answerConsent, authorizationRequest } from '../../support/relying-party.ts';

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '</pre><iframe src="https://evil.example">',
  '<a href="javascript:alert(1)">x</a>',
  '"><form action="https://evil.example">',
  '<style>body{display:none}</style>',
  '&lt;i&gt;entity&lt;/i&gt;',
];
const AUTHORIZE =
  'response_type client_id redirect_uri scope state nonce code_challenge code_challenge_method prompt max_age ' +
  'login_hint id_token_hint ui_locales display response_mode acr_values request asked_at';
const LOGOUT = [
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'ui_locales',
  'logout_hint',
];

let app: App;
let bob: Person;
let asBob: Browser;

before(async () => {
  app = await openApp();
  bob = await person(app.portico, 'bob');
  asBob = await browserOf(app, 'bob');
});
after(() => app.close());

describe('The name of an application is text:', () => {
  for (const attack of ATTACKS) {
    test(attack, async () => {
      const client = await notebook(app.portico, { name: attack, ownerId: bob.id });
      const consent = authorizationRequest(client);
      const pages = [`/oauth/authorize?${consent}`, `/oauth/logout?client_id=${client.id}`];
      for (const path of pages) await assertOnlyText(await asBob.open(path), attack);

      await answerConsent(asBob, consent);
      const withMore = { scope: 'openid profile:read posts:read', nonce: 'n', prompt: 'consent' };
      const formPost = { response_mode: 'form_post', prompt: 'none' };
      for (const path of [
        `/oauth/authorize?${authorizationRequest(client, withMore)}`,
        `/oauth/authorize?${authorizationRequest(client, formPost)}`,
        '/settings/apps',
        `/settings/apps/${client.id}`,
      ]) {
        await assertOnlyText(await asBob.open(path), attack);
      }
    });
  }
});

describe('Each parameter of an application is text:', () => {
  for (const attack of ATTACKS) {
    test(attack, async () => {
      const client = await notebook(app.portico, { ownerId: bob.id });
      await answerConsent(asBob, authorizationRequest(client));
      for (const browser of [asBob, new Browser(app.url)]) {
        for (const name of AUTHORIZE.split(' ')) {
          await assertHarmless(
            browser,
            client,
            `/oauth/authorize?${authorizationRequest(client, { [name]: attack })}`,
          );
          const formPost = authorizationRequest(client, { response_mode: 'form_post', [name]: attack });
          await assertHarmless(browser, client, `/oauth/authorize?${formPost}`);
        }
        for (const name of LOGOUT) {
          const query = new URLSearchParams({ client_id: client.id, [name]: attack });
          await assertHarmless(browser, client, `/oauth/logout?${query}`);
        }
      }
    });
  }

  async function assertHarmless(browser: Browser, client: RegisteredClient, path: string): Promise<void> {
    const answer = await browser.open(path);
    const next = answer.headers.get('location');
    if (answer.status !== 303 || next === null) {
      for (const attack of ATTACKS) await assertOnlyText(answer.clone(), attack);
      return;
    }
    // A redirect leads to the application, or to a page of this site, such as the login page, which is checked too.
    if (next.startsWith(`${client.redirectUri}?`)) return;
    assert.match(next, /^\/login\?/);
    await assertHarmless(browser, client, next);
  }
});

async function assertOnlyText(answer: Response, attack: string): Promise<void> {
  const page = await answer.text();
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assert.ok(!page.includes(attack), page);
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'self'; img-src 'self';/);
  assert.doesNotMatch(policy, /unsafe|\*|data:/);
}
