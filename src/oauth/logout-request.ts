// An application asks the server to sign the member out (OpenID Connect RP-Initiated Logout 1.0).

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import { type Form, isAsSent } from './form.ts';
import { type IdTokenHint, readIdTokenHint } from './id-token.ts';

export interface LogoutRequest {
  /** The application, if the request identifies it. */
  client: Client | undefined;
  /** The sign-in of which an active application has an id_token. Undefined if the request proves none. */
  signIn: Pick<IdTokenHint, 'userId' | 'authTime'> | undefined;
  /**
   * The registered address to return to, with the request's state. Undefined: stay on the server's own page.
   */
  returnTo: string | undefined;
}

/** Read a request. Throws `invalid_request` if it names an address that is not registered. */
export async function readLogoutRequest(server: AuthorizationServer, form: Form): Promise<LogoutRequest> {
  form.refuseMalformed();
  const hintText = form.get('id_token_hint');
  const hint = hintText === undefined ? undefined : await readIdTokenHint(server, hintText);
  const clientId = form.get('client_id') ?? hint?.clientId;
  if (hint !== undefined && clientId !== hint.clientId) {
    throw new OAuthError(
      'invalid_request',
      'The id_token_hint and the client_id belong to different applications.',
    );
  }
  const client = clientId === undefined ? undefined : await findActiveClient(server, clientId);
  return { client, signIn: client && hint, returnTo: readReturn(form, client) };
}

async function findActiveClient(server: AuthorizationServer, id: string): Promise<Client | undefined> {
  const client = await server.reads.findClient(id);
  return client?.status === 'active' ? client : undefined;
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
  if (!isAsSent(state)) throw new OAuthError('invalid_request', 'The state must be valid UTF-8.');
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}
