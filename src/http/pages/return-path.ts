// The page that a visitor returns to after signing in, and what it means for the sign-in form.

import { type ReturnAddress, readAuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { Form } from '../../oauth/form.ts';
import { PATHS } from '../routes.ts';
import { formTargetsFor } from '../security-headers.ts';

/**
 * Return the form-action sources for a form after which the visitor continues at this path. An authorization
 * request that needs no consent redirects on to the application, in the same chain as the form.
 */
export async function formTargetsOfReturn(oauth: AuthorizationServer, path: string): Promise<string[]> {
  const returnTo = await returnAddressIn(oauth, path);
  return returnTo === undefined ? [] : formTargetsFor(returnTo.redirectUri);
}

/** Return the name of the application that the visitor continues to at this path, if there is one. */
export async function applicationOfReturn(
  oauth: AuthorizationServer,
  path: string,
): Promise<string | undefined> {
  return (await returnAddressIn(oauth, path))?.client.name;
}

async function returnAddressIn(oauth: AuthorizationServer, path: string): Promise<ReturnAddress | undefined> {
  const query = authorizationQuery(path);
  if (query === undefined) return undefined;
  const read = await readAuthorizationRequest(oauth, new Form(new URLSearchParams(query)));
  if (read.outcome === 'no_redirect') return undefined;
  return read.outcome === 'request' ? read.request.returnTo : read.returnTo;
}

/** Return the application's `ui_locales`, if the path is an authorization request. */
export function uiLocalesOfReturn(path: string): string | undefined {
  const query = authorizationQuery(path);
  return query === undefined ? undefined : new Form(new URLSearchParams(query)).get('ui_locales');
}

/**
 * Return the path of the sign-in page that leads back to `returnTo`. With `again`, members sign in again.
 */
export function loginPath(
  returnTo: string,
  { again = false, hint }: { again?: boolean; hint?: string | undefined } = {},
): string {
  const parameters = new URLSearchParams({ return_to: returnTo });
  if (again) parameters.set('again', '1');
  if (hint !== undefined) parameters.set('login_hint', hint.slice(0, 200));
  return `/login?${parameters}`;
}

/** The page on which members prove who they are before an important act. */
export const CONFIRM_PATH = '/settings/security/confirm';

/** Return its path, so that it leads back to `returnTo`. */
export function confirmPath(returnTo: string): string {
  return `${CONFIRM_PATH}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Return the path of the sign-up page that leads back to `returnTo`. */
export function signupPath(returnTo: string): string {
  return `/signup?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Report whether the path is an application's request to sign a member in. */
export function isAuthorizationPath(path: string): boolean {
  return authorizationQuery(path) !== undefined;
}

function authorizationQuery(path: string): string | undefined {
  const prefix = `${PATHS.authorize}?`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
