// A browser's session is always the one that its own sign-in started.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, notebook, PASSWORD, person } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

let app: App;

before(async () => {
  app = await openApp();
  for (const name of ['alice', 'mallory']) await person(app.portico, name);
});
after(() => app.close());

test('Signing in ends the browser’s earlier session, so that a copy of its cookie is invalid.', async () => {
  const browser = await browserOf(app, 'alice');
  const copy = copyOf(browser);
  assert.match(await profileOf(copy), /alice/);

  await browser.signIn('mallory', PASSWORD);

  assert.match(await profileOf(browser), /mallory/);
  assert.equal(await profileOf(copy), '');
});

for (const joining of ['/signup', '/setup'] as const) {
  test(`So does creating an account at ${joining}.`, async (t) => {
    const fresh = await openApp();
    t.after(() => fresh.close());
    await person(fresh.portico, 'alice');
    const browser = await browserOf(fresh, 'alice');
    const copy = new Browser(fresh.url);
    copy.setCookie('portico_session', browser.cookie('portico_session') ?? '');
    const query = joining === '/setup' ? `?token=${await fresh.portico.setupToken()}` : '';
    const page = await (await browser.follow(joining + query)).text();

    const answer = await browser.submit(page, joining, { username: 'bob', password: PASSWORD });

    assert.equal(answer.status, 303);
    assert.match(await profileOf(browser), /bob/);
    assert.equal(await profileOf(copy), '');
  });
}

test('A cookie that an attacker planted before the sign-in does not become the member’s session.', async () => {
  const mallory = await browserOf(app, 'mallory');
  for (const planted of [mallory.cookie('portico_session') ?? '', 'a'.repeat(54)]) {
    const browser = new Browser(app.url);
    browser.setCookie('portico_session', planted);

    await browser.signIn('alice', PASSWORD);

    assert.notEqual(browser.cookie('portico_session'), planted);
    const attacker = new Browser(app.url);
    attacker.setCookie('portico_session', planted);
    assert.equal(await profileOf(attacker), '');
  }
});

test('Once another member has signed in, an older consent page can’t be answered any more.', async () => {
  const client = await notebook(app.portico);
  const browser = await browserOf(app, 'mallory');
  const page = await (await browser.open(`/oauth/authorize?${authorizationRequest(client)}`)).text();
  await browser.signIn('alice', PASSWORD);

  const answer = await browser.submit(page, '/oauth/consent', { decision: 'allow' });

  assert.equal(answer.status, 403);
  assert.equal(answer.headers.get('location'), null);
  assert.equal(await app.portico.oauth.reads.countGrants(client.id, app.portico.clock()), 0);
});

function copyOf(browser: Browser): Browser {
  const copy = new Browser(app.url);
  copy.setCookie('portico_session', browser.cookie('portico_session') ?? '');
  return copy;
}

// Returns the profile page, or an empty text if nobody is signed in.
async function profileOf(browser: Browser): Promise<string> {
  const answer = await browser.open('/settings/profile');
  return answer.status === 200 ? answer.text() : '';
}
