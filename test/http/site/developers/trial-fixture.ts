// A member who tries the sign-in of an application, step by step.

import assert from 'node:assert/strict';
import type { App } from '../../../support/app.ts';
import { type Browser, decodeEntities } from '../../../support/browser.ts';
import { PASSWORD, type RegisteredClient } from '../../../support/people.ts';
import { answerConsent } from '../../../support/relying-party.ts';

export function tryPath(client: RegisteredClient): string {
  return `/developers/apps/${client.id}/try`;
}

/** Open the tester. Returns the authorization request that it shows. */
export async function authorizationAddress(
  browser: Browser,
  client: RegisteredClient,
  scopes: readonly string[] = [],
): Promise<URL> {
  const query = new URLSearchParams(scopes.map((scope) => ['scope', scope]));
  const page = await browser.read(`${tryPath(client)}?${query}`);
  const [, text = ''] = /<pre class="wrapped"[^>]*>([^<]*)<\/pre>/.exec(page) ?? [];
  const link = /<a class="button primary" href="(\/oauth[^"]*)"/.exec(page)?.[1] ?? '';
  const address = new URL(decodeEntities(text));
  assert.equal(address.pathname + address.search, decodeEntities(link));
  return address;
}

/** Open the authorization page, allow, and return the address of the answer. */
export function allowed(
  browser: Browser,
  address: URL,
  fields: Partial<{ decision: string; scope: string[]; duration: string }> = {},
): Promise<URL> {
  // The page asks for the password if the sign-in was a while ago, and it remembers the duration.
  const answer = { decision: 'allow', password: PASSWORD, duration: 'until_removed', ...fields };
  return answerConsent(browser, address.searchParams, answer);
}

export function open(browser: Browser, { pathname, search }: URL): Promise<Response> {
  return browser.open(pathname + search);
}

/** Go on from the page of the answer: send the requests. */
export async function sendRequests(
  browser: Browser,
  client: RegisteredClient,
  answer: URL,
  secret = client.secret,
): Promise<string> {
  const returned = await (await open(browser, answer)).text();
  const fields = secret === '' ? {} : { client_secret: secret };
  return (await browser.submit(returned, tryPath(client), fields)).text();
}

/** A whole trial. Returns the page with all requests. */
export async function tryOut(
  browser: Browser,
  client: RegisteredClient,
  scopes: readonly string[] = [],
): Promise<string> {
  return sendRequests(
    browser,
    client,
    await allowed(browser, await authorizationAddress(browser, client, scopes)),
  );
}

/** The exchanges on a page: what was requested, the status, and whether it is as it should be. */
export function exchangesOn(page: string): string[] {
  const items = page.split('<li class="card">').slice(1);
  return items.map((item) => {
    const [, badge = ''] = /<span class="badge[^>]*>([^<]*)</.exec(item) ?? [];
    const [, line = ''] = /<pre[^>]*>(.*) HTTP\/1.1/.exec(item) ?? [];
    const [, grantType = ''] = /grant_type=(\w+)/.exec(item) ?? [];
    return [decodeEntities(line), grantType, badge].filter(Boolean).join(' ');
  });
}

/** How many sign-ins of members at applications are alive. */
export async function livingSignIns(
  { portico }: App,
  client: RegisteredClient,
  userId: number,
): Promise<number> {
  return (await portico.oauth.reads.signInsOf(userId, client.id, portico.clock(), 50)).length;
}
