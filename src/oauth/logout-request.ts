// An application asks that the member be signed out here too (OpenID Connect RP-Initiated Logout 1.0).

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import { readIdTokenHint } from './id-token.ts';

export interface LogoutRequest {
  /** The application that asks, if it says who it is. */
  client: Client | undefined;
  /** Whom it knows to be signed in; undefined if it brought no proof. */
  userId: number | undefined;
  /** Where to go afterwards: a registered address with the state that came, or undefined for a page of ours. */
  returnTo: string | undefined;
}

/** Reads a request. Throws `invalid_request` for an address that is not registered: nobody is sent there. */
export async function readLogoutRequest(server: AuthorizationServer, form: Form): Promise<LogoutRequest> {
  form.refuseMalformed();
  const hintText = form.get('id_token_hint');
  const hint = hintText === undefined ? undefined : await readIdTokenHint(server, hintText);
  const clientId = form.get('client_id') ?? hint?.clientId;
  if (hint !== undefined && clientId !== hint.clientId) {
    throw new OAuthError(
      'invalid_request',
      'The id_token_hint was made for another application than client_id.',
    );
  }
  const found = clientId === undefined ? undefined : await server.reads.findClient(clientId);
  const client = found?.status === 'active' ? found : undefined;
  return { client, userId: hint?.userId, returnTo: readReturn(form, client) };
}

function readReturn(form: Form, client: Client | undefined): string | undefined {
  const address = form.get('post_logout_redirect_uri');
  if (address === undefined) return undefined;
  if (!client?.postLogoutRedirectUris.includes(address)) {
    throw new OAuthError(
      'invalid_request',
      'The post_logout_redirect_uri is not registered for the application.',
    );
  }
  const state = form.get('state');
  if (state === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}
