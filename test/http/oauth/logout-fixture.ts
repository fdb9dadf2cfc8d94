// Signed-in members, for the tests in which an application signs them out.

import type { App } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { idTokenOf } from '../../support/openid.ts';
import type { RegisteredClient } from '../../support/people.ts';
import { browserOf } from '../../support/people.ts';

/** The application's address for members who were signed out. */
export const BYE = 'https://notebook.example.com/bye';

/** Return the path of a request to sign out. */
export function logout(query: Record<string, string>): string {
  return `/oauth/logout?${new URLSearchParams(query)}`;
}

/** Sign a member in. Returns the browser, and the id_token that the application got for it. */
export async function signIn(
  app: App,
  client: RegisteredClient,
  username: string,
): Promise<{ browser: Browser; idToken: string }> {
  const browser = await browserOf(app, username);
  return { browser, idToken: await idTokenOf(app, client, browser) };
}

/** Whether a member is signed in to the community. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/settings/profile')).status === 200;
}
