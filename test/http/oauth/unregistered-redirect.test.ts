// Spec §4.1, rule 1: whatever else is wrong with a request, an unregistered address gets no redirect.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { openLog } from '../../../src/lib/log.ts';
import { type App, openApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import { browserOf, notebook, person, pocket, type RegisteredClient } from '../../support/people.ts';
import { authorizationRequest } from '../../support/relying-party.ts';

const EVIL = 'https://mallory.example/cb';

let app: App;
let client: RegisteredClient;
let phone: RegisteredClient;
let alice: Browser;

before(async () => {
  app = await openApp();
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
  phone = await pocket(app.portico);
  alice = await browserOf(app, 'alice');
});
after(() => app.close());

// With the registered address, each error would be a redirect. An empty parameter is left out.
const WRONG: [string, Record<string, string>][] = [
  ['nothing else', {}],
  ['prompt=none', { prompt: 'none' }],
  ['an impossible prompt', { prompt: 'none login' }],
  ['an unknown prompt', { prompt: 'create' }],
  ['no response_type', { response_type: '' }],
  ['another response_type', { response_type: 'token' }],
  ['another response_type, and prompt=none', { response_type: 'id_token', prompt: 'none' }],
  ['another response_mode', { response_mode: 'fragment' }],
  ['response_mode=form_post', { response_mode: 'form_post', prompt: 'none' }],
  ['no scope', { scope: '' }],
  ['only an unknown scope', { scope: 'email' }],
  ['a malformed scope', { scope: 'a"b' }],
  ['openid without nonce', { scope: 'openid' }],
  ['no state', { state: '' }],
  ['a request object', { request: 'eyJ.e30.' }],
  ['a request object elsewhere', { request_uri: 'https://mallory.example/request' }],
  ['a registration', { registration: '{}' }],
  ['a challenge without S256', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }],
  ['a max_age that is not a number', { max_age: 'soon' }],
  ['a forged hint', { id_token_hint: 'eyJ.e30.', prompt: 'none' }],
  ['a parameter with NUL', { login_hint: '\0' }],
];

describe('There is no redirect to an address that is not registered, for a request with', () => {
  for (const [name, wrong] of WRONG) {
    test(name, async () => {
      for (const browser of [alice, new Browser(app.url)]) {
        for (const one of [client, phone]) {
          const query = authorizationRequest(one, { ...wrong, redirect_uri: EVIL });
          await assertNoRedirect(await browser.open(`/oauth/authorize?${query}`));
          await assertNoRedirect(await browser.post('/oauth/authorize', query));
        }
      }
    });
  }

  test('the registered address and another one', async () => {
    for (const addresses of [
      [EVIL, client.redirectUri],
      [client.redirectUri, EVIL],
    ]) {
      const query = authorizationRequest(client, { redirect_uri: '' });
      for (const address of addresses) query.append('redirect_uri', address);
      await assertNoRedirect(await alice.open(`/oauth/authorize?${query}`));
    }
  });
});

async function assertNoRedirect(answer: Response): Promise<void> {
  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get('location'), null);
  assert.equal(answer.headers.get('refresh'), null);
  assert.doesNotMatch(page, /(href|action|src|content)="[^"]*mallory\.example/);
  assert.match(answer.headers.get('content-security-policy') ?? '', /form-action 'self';/);
}

test('The log has ten of them a minute from one caller', async (t) => {
  const lines: string[] = [];
  const stream = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
  const talking = await openApp({ LOG_LEVEL: 'info', TRUST_PROXY: '127.0.0.1' }, openLog('info', stream));
  t.after(() => talking.close());
  const askFrom = async (address: string) =>
    (await fetch(`${talking.url}/oauth/authorize`, { headers: { 'X-Forwarded-For': address } })).text();

  const pages = [];
  for (let part = 1; part <= 12; part += 1) pages.push(await askFrom(`2001:db8:1:${part}::1`));
  const other = await askFrom('192.0.2.1');

  const ids = [...pages.slice(0, 10), other].map((page) => /Error id <code>(\w+)</.exec(page)?.[1]);
  const logged = lines.filter((line) => line.includes('client_missing'));
  assert.deepEqual(
    logged.map((line) => JSON.parse(line).errorId),
    ids,
  );
});
