// Members in their browsers, before an application asks to sign them out.

import type { App } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { idTokenOf } from '../../support/openid.ts';
import type { RegisteredClient } from '../../support/people.ts';
import { browserOf } from '../../support/relying-party.ts';

/** Where the application wants the member back. */
export const BYE = 'https://notebook.example.com/bye';

/** The path of a request to sign out. */
export function logout(query: Record<string, string>): string {
  return `/oauth/logout?${new URLSearchParams(query)}`;
}

/** Signs a member in. Returns the browser, and the id_token that the application got through it. */
export async function signedIn(
  app: App,
  client: RegisteredClient,
  username: string,
): Promise<{ browser: Browser; idToken: string }> {
  const browser = await browserOf(app, username);
  return { browser, idToken: await idTokenOf(app, client, browser) };
}

/** Reports whether a member is signed in to the community. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/settings/profile')).status === 200;
}
