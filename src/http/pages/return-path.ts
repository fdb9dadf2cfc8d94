// Where a visitor goes on after signing in, and what that means for the form that signs in.

import { readAuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { Form } from '../../oauth/form.ts';
import { PATHS } from '../routes.ts';
import { formTargetsFor } from '../security-headers.ts';

/**
 * Where a form may lead, in the end, if the visitor goes on at this path: an authorization request that needs no
 * question sends the browser straight on to the application, in one chain of redirects with the form.
 */
export async function formTargetsOfReturn(oauth: AuthorizationServer, path: string): Promise<string[]> {
  const query = authorizationQuery(path);
  if (query === undefined) return [];
  const read = await readAuthorizationRequest(oauth, new Form(new URLSearchParams(query)));
  if (read.outcome === 'unreturnable') return [];
  const returnTo = read.outcome === 'request' ? read.request.returnTo : read.returnTo;
  return formTargetsFor(returnTo.redirectUri);
}

/** The languages that the application asks for, if the visitor goes on at this path to an authorization request. */
export function uiLocalesOfReturn(path: string): string | undefined {
  const query = authorizationQuery(path);
  return query === undefined ? undefined : new Form(new URLSearchParams(query)).get('ui_locales');
}

/** The login page, to come back from to this path. `again`: whoever is signed in must prove it anew. */
export function loginPath(
  returnTo: string,
  { again = false, hint }: { again?: boolean; hint?: string | undefined } = {},
): string {
  const parameters = new URLSearchParams({ return_to: returnTo });
  if (again) parameters.set('again', '1');
  if (hint !== undefined) parameters.set('login_hint', hint.slice(0, 200));
  return `/login?${parameters}`;
}

function authorizationQuery(path: string): string | undefined {
  const prefix = `${PATHS.authorize}?`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
