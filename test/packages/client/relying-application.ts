// An application that uses the library against the running service, with alice at the keyboard.

import { memoryStore, PorticoApplication } from '../../../packages/client/src/index.ts';
import type { Session } from '../../../packages/client/src/session.ts';
import type { ApplicationSettings } from '../../../packages/client/src/settings.ts';
import type { TokenStore } from '../../../packages/client/src/store.ts';
import type { App } from '../../support/app.ts';
import { browserOf, type RegisteredClient } from '../../support/people.ts';
import { answerConsent } from '../../support/relying-party.ts';

/** Return the application with the service's clock. */
export function applicationOf(
  app: App,
  client: RegisteredClient,
  more: Partial<ApplicationSettings> = {},
): PorticoApplication {
  return new PorticoApplication({
    issuer: app.url,
    clientId: client.id,
    ...(client.secret === '' ? {} : { clientSecret: client.secret }),
    redirectUri: client.redirectUri,
    now: app.clock.read,
    ...more,
  });
}

/** Begin a sign-in, and answer the consent page as this member. Returns what the callback gets. */
export async function attemptAs(
  app: App,
  application: PorticoApplication,
  username = 'alice',
  fields?: { decision: string; scope?: string[]; duration?: string },
) {
  const { url, attempt } = await application.beginSignIn();
  const browser = await browserOf(app, username);
  const callback = await answerConsent(browser, new URL(url).searchParams, fields);
  return { callback, attempt };
}

/** Sign alice in. */
export async function signIn(
  app: App,
  application: PorticoApplication,
  store: TokenStore = memoryStore(),
): Promise<Session> {
  const { callback, attempt } = await attemptAs(app, application);
  return application.finishSignIn(callback, attempt, store);
}

/** A fetch that notes the grant types of the requests that it passes on. */
export function countingFetch() {
  const grants: string[] = [];
  const fetchAndCount = (url: string, init: RequestInit) => {
    if (init.body instanceof URLSearchParams) grants.push(init.body.get('grant_type') ?? 'none');
    return fetch(url, init);
  };
  return { grants, fetch: fetchAndCount };
}

/** Expects an error of the library with this reason, whose message is like this. */
export function because(reason: string, message: RegExp) {
  return (error: Error & { reason?: string }) => {
    if (error.reason === reason && message.test(error.message)) return true;
    throw new Error(`Expected ${reason} ${message}, got ${error.reason}: ${error.message}`, { cause: error });
  };
}
