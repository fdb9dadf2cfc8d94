// The fixture of the tests of the authorization endpoint: alice is signed in, and mallory owns an application.

import assert from 'node:assert/strict';
import { type App, openApp } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import {
  browserOf,
  notebook,
  type Person,
  person,
  pocket,
  type RegisteredClient,
} from '../support/people.ts';

export let app: App;
export let alice: Person;
export let mallory: Person;
export let client: RegisteredClient;
export let phone: RegisteredClient;
export let browser: Browser;

/** Open the program with its members and applications. */
export async function openFixture(): Promise<void> {
  app = await openApp();
  alice = await person(app.portico, 'alice');
  mallory = await person(app.portico, 'mallory');
  client = await notebook(app.portico, { ownerId: mallory.id });
  phone = await pocket(app.portico);
  browser = await browserOf(app, 'alice');
}

/** Sign alice in again, after her session has expired. */
export async function signInAgain(): Promise<void> {
  browser = await browserOf(app, 'alice');
}

export function authorize(request: URLSearchParams | string, by = browser): Promise<Response> {
  return by.open(`/oauth/authorize?${request}`);
}

/** Expect a redirect. Returns its address. */
export function redirectTarget(answer: Response): URL {
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location') ?? '');
}

/** Return the page without its header and footer, whose language switch contains the current address. */
export function mainOf(page: string): string {
  return page.slice(page.indexOf('<main'), page.indexOf('</main>'));
}

/** Expect the error page, without a link to the redirect_uri that was given. */
export async function assertErrorPage(answer: Response, given: string): Promise<void> {
  const page = await answer.text();
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get('location'), null);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assert.doesNotMatch(page, /http-equiv="refresh"/i);
  const links = [...page.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, link]) => link ?? '');
  assert.ok(given === '' || !links.some((link) => link.includes(given)), `a link to ${given}`);
  assert.match(page, /Error id/);
}
