// oidc-client-ts in its usual place: a page on another origin, without a server of its own, in Chromium. All its
// requests to Portico use CORS.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Browser, Page } from 'playwright-core';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { json } from '../support/json.ts';
import { PASSWORD, type Person, person, pocket, type RegisteredClient } from '../support/people.ts';
import { callApi } from '../support/relying-party.ts';

const LIBRARY = readFileSync(
  new URL('../../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js', import.meta.url),
);

let app: App;
let alice: Person;
let pages: Server;
let origin: string;
let client: RegisteredClient;
let browser: Browser;

before(async () => {
  if (withoutChromium) return;
  app = await openApp();
  alice = await person(app.portico, 'alice');
  pages = createServer((request, answer) => {
    const isLibrary = request.url === '/oidc-client-ts.js';
    answer.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
    answer.end(isLibrary ? LIBRARY : applicationPage());
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  client = await pocket(app.portico, {
    redirectUris: [`${origin}/callback`],
    postLogoutRedirectUris: [`${origin}/bye`],
  });
  browser = await openChromium();
});
after(async () => {
  await browser?.close();
  pages?.close();
  await app?.close();
});

test('A page on another origin signs a member in, reads the profile, refreshes, revokes and signs out.', {
  skip: withoutChromium,
}, async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(origin);
  const { nonce } = await press(page, 'Sign in with Portico', { leavesPage: true });

  // The member signs in and allows it. A page at a loopback address must ask every time.
  await page.getByLabel('Username').fill('alice');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /Let Pocket/);
  await page.getByRole('button', { name: 'Allow' }).click();

  // The library has checked state and nonce, redeemed the code with PKCE and called userinfo.
  const user = await eventOf(page, 'signed in');
  assert.equal(new URL(page.url()).origin, origin);
  assert.equal(user.scope, 'openid profile:read posts:read');
  assert.equal(user.profile.sub, String(alice.id));
  assert.equal(user.profile.preferred_username, 'alice');
  assert.equal(user.profile.picture, `${app.url}/avatars/${alice.id}.svg`);
  assert.equal(user.profile.profile, `${app.url}/u/alice`);
  assert.equal(user.profile.email, undefined);

  // The library doesn't verify the signature, so the test does, with the published keys only.
  const claims = await verify(user.id_token);
  assert.equal(claims.sub, String(alice.id));
  assert.equal(claims.nonce, nonce);
  assert.equal(claims.at_hash, hashOf(user.access_token));
  assert.equal((await callApi(app, '/me', user.access_token)).status, 200);

  const refreshed = await press(page, 'Refresh');
  assert.notEqual(refreshed.access_token, user.access_token);
  assert.notEqual(refreshed.refresh_token, user.refresh_token);
  const claimsNow = await verify(refreshed.id_token);
  assert.deepEqual([claimsNow.sub, claimsNow.auth_time], [claims.sub, claims.auth_time]);
  assert.equal(claimsNow.at_hash, hashOf(refreshed.access_token));

  await press(page, 'Revoke');
  assert.equal((await callApi(app, '/me', refreshed.access_token)).status, 401);
  assert.equal((await callApi(app, '/me', user.access_token)).status, 401);

  // The member stays signed in to the community until the application ends that, too.
  await page.goto(`${app.url}/settings/security`);
  assert.equal(page.url(), `${app.url}/settings/security`);
  await page.goto(origin);
  await press(page, 'Sign out', { leavesPage: true });
  await eventOf(page, 'signed out');
  assert.equal(new URL(page.url()).pathname, '/bye');
  await page.goto(`${app.url}/settings/security`);
  assert.equal(new URL(page.url()).pathname, '/login');
});

test('If the member denies access, the library reports it to the page.', {
  skip: withoutChromium,
}, async () => {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(origin);
  await press(page, 'Sign in with Portico', { leavesPage: true });
  await page.getByLabel('Username').fill('alice');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('button', { name: 'Deny' }).click();

  assert.equal((await eventOf(page, 'failed')).error, 'access_denied');
});

// Presses a button on the application's page. Returns the event that it shows then, or the nonce if the page was left.
async function press(page: Page, name: string, { leavesPage = false } = {}) {
  await page.getByRole('button', { name }).click();
  if (!leavesPage) return eventOf(page, name.toLowerCase());
  await page.waitForURL((url) => url.origin !== origin || url.pathname === '/bye');
  const { value } = (await page.context().cookies(origin)).find((cookie) => cookie.name === 'nonce') ?? {};
  return { nonce: value };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the page shows
async function eventOf(page: Page, event: string): Promise<any> {
  const output = page.locator(`[data-event="${event}"], [data-event="failed"]`);
  await output.waitFor();
  const text = await output.innerText();
  assert.equal(await output.getAttribute('data-event'), event, text);
  return JSON.parse(text);
}

async function verify(idToken: string) {
  const { jwks_uri } = await json(await fetch(`${app.url}/.well-known/openid-configuration`));
  const { payload } = await jwtVerify(idToken, createRemoteJWKSet(new URL(jwks_uri)), {
    issuer: app.url,
    audience: client.id,
    algorithms: ['RS256'],
    requiredClaims: ['exp', 'iat', 'sub', 'auth_time', 'at_hash'],
  });
  return payload;
}

// OpenID Connect Core §3.1.3.6.
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}

// The whole application. Besides names and addresses, only loadUserInfo differs from the defaults.
function applicationPage(): string {
  return `<!doctype html><title>Pocket</title><pre></pre>
<button id="sign-in">Sign in with Portico</button><button id="refresh">Refresh</button>
<button id="revoke">Revoke</button><button id="sign-out">Sign out</button>
<script src="/oidc-client-ts.js"></script>
<script>
const manager = new oidc.UserManager({
  authority: ${JSON.stringify(app.url)},
  client_id: ${JSON.stringify(client.id)},
  redirect_uri: location.origin + '/callback',
  post_logout_redirect_uri: location.origin + '/bye',
  scope: 'openid profile:read posts:read',
  loadUserInfo: true,
});
const tell = (event, what) => {
  const output = document.querySelector('pre');
  output.dataset.event = event;
  output.textContent = JSON.stringify(what ?? {});
};
const trying = (work) => work().catch((error) => tell('failed', { ...error, message: error.message }));
const on = (id, work) => { document.getElementById(id).onclick = () => trying(work); };
on('sign-in', () => {
  const nonce = crypto.randomUUID();
  document.cookie = 'nonce=' + nonce;
  return manager.signinRedirect({ nonce });
});
on('refresh', async () => tell('refresh', await manager.signinSilent()));
on('revoke', async () => tell('revoke', await manager.revokeTokens()));
on('sign-out', () => manager.signoutRedirect());
if (location.pathname === '/callback') trying(async () => tell('signed in', await manager.signinRedirectCallback()));
if (location.pathname === '/bye') trying(async () => tell('signed out', await manager.signoutRedirectCallback()));
</script>`;
}
