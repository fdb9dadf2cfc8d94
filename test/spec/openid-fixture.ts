// The stage of the tests of OpenID Connect: alice has signed in, and allows an application to sign her in.

import assert from 'node:assert/strict';
import { byServer } from '../../src/audit/doer.ts';
import { SECOND } from '../../src/lib/clock.ts';
import { createPersonalToken } from '../../src/oauth/personal-token.ts';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { openIdRequest } from '../support/openid.ts';
import { notebook, PASSWORD, type Person, person, type RegisteredClient } from '../support/people.ts';
import { answerConsent, browserOf } from '../support/relying-party.ts';

export let app: App;
export let alice: Person;
export let mallory: Person;
/** Alice has signed in with it. */
export let browser: Browser;
/** Alice has allowed it to sign her in. */
export let client: RegisteredClient;

/** Opens the program, with its people and applications. */
export async function openFixture(): Promise<void> {
  app = await openApp();
  alice = await person(app.portico, 'alice', 'I read.');
  mallory = await person(app.portico, 'mallory');
  client = await notebook(app.portico);
  browser = await browserOf(app, 'alice');
  await answerConsent(browser, openIdRequest(client));
}

export function authorize(more: Record<string, string>, by = browser, of = client): Promise<Response> {
  return by.open(`/oauth/authorize?${openIdRequest(of, more)}`);
}

/** Where the browser is sent, relative to this site or not. */
export function landing(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '', app.url);
}

export function errorOf(answer: Response): string | null {
  const landed = landing(answer);
  assert.equal(landed.origin + landed.pathname, client.redirectUri);
  assert.equal(landed.searchParams.get('iss'), app.url);
  assert.equal(landed.searchParams.get('state'), 'af0ifjsldkj');
  return landed.searchParams.get('error');
}

export function assertCode(answer: Response): void {
  assert.ok(landing(answer).searchParams.get('code'), answer.headers.get('location') ?? '');
}

/** Expects the login page, and fills it in. Answers with where it leads. */
export async function signInWhereAsked(answer: Response, by: Browser, username: string): Promise<string> {
  const login = landing(answer);
  assert.equal(login.pathname, '/login');
  const page = await (await by.open(login.pathname + login.search)).text();
  const signedIn = await by.submit(page, '/login', { username, password: PASSWORD });
  return landing(signedIn).pathname + landing(signedIn).search;
}

export async function personalToken({ id }: Person): Promise<string> {
  const token = await createPersonalToken(byServer(app.portico.clock), app.portico.oauth, {
    userId: id,
    name: 'laptop',
    scopes: ['profile:read', 'posts:read'],
    days: 7,
  });
  assert.ok('text' in token);
  return token.text;
}

export function seconds(moment: number): number {
  return Math.floor(moment / SECOND);
}
