// The fixture of the tests of OpenID Connect: alice has signed in, and allows an application to sign her in.

import assert from 'node:assert/strict';
import { SECOND } from '../../src/lib/clock.ts';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { openIdRequest } from '../support/openid.ts';
import {
  browserOf,
  notebook,
  PASSWORD,
  type Person,
  person,
  type RegisteredClient,
} from '../support/people.ts';
import { answerConsent } from '../support/relying-party.ts';

export let app: App;
export let alice: Person;
export let mallory: Person;
/** Alice is signed in here. */
export let browser: Browser;
/** Alice has allowed it to sign her in. */
export let client: RegisteredClient;

/** Open the program with its members and applications. */
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

/** Expect a redirect. Returns its address. */
export function redirectTarget(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '', app.url);
}

/** Expect a redirect to the application with all that an answer needs. Returns its error. */
export function errorOf(answer: Response): string | null {
  const address = redirectTarget(answer);
  assert.equal(address.origin + address.pathname, client.redirectUri);
  assert.equal(address.searchParams.get('iss'), app.url);
  assert.equal(address.searchParams.get('state'), 'af0ifjsldkj');
  return address.searchParams.get('error');
}

export function assertCode(answer: Response): void {
  assert.ok(redirectTarget(answer).searchParams.get('code'), answer.headers.get('location') ?? '');
}

/** Expect a redirect to the login page, and sign in there. Returns the address that it leads to. */
export async function signInWhereAsked(answer: Response, by: Browser, username: string): Promise<string> {
  const login = redirectTarget(answer);
  assert.equal(login.pathname, '/login');
  const page = await (await by.open(login.pathname + login.search)).text();
  const signedIn = await by.submit(page, '/login', { username, password: PASSWORD });
  return redirectTarget(signedIn).pathname + redirectTarget(signedIn).search;
}

export function seconds(moment: number): number {
  return Math.floor(moment / SECOND);
}
