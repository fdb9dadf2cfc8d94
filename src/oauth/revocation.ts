// Revoking a token (RFC 7009, spec §4.3, contract §5).

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import type { Form } from './form.ts';
import { isGenuine, type PresentedToken, readToken } from './token.ts';

/** `invalid_request` for a form that no revocation request can have, before anything is looked up. */
export function checkRevocationForm(form: Form): void {
  form.refuseMalformed();
  form.required('token');
}

/**
 * Revokes the client's own token: an access token alone, a refresh token (of any generation) with its whole sign-in.
 * An unknown, foreign or dead token is no error and changes nothing (RFC 7009 §2.2), nor is a personal token, which
 * only its member can revoke. `token_type_hint` is not needed: the token tells its kind.
 */
export async function revokeToken(server: AuthorizationServer, client: Client, form: Form): Promise<void> {
  const token = readToken(form.required('token'), server.brand);
  if (token?.kind === 'access') await revokeAccessToken(server, client, token);
  if (token?.kind === 'refresh') await revokeFamily(server, client, token);
}

async function revokeAccessToken(
  server: AuthorizationServer,
  client: Client,
  token: PresentedToken,
): Promise<void> {
  const found = await server.reads.findAccessToken(token.key);
  if (found === undefined || !isGenuine(token, found.digest) || found.clientId !== client.id) return;
  await server.writes.revokeAccessToken(token.key, server.clock());
}

async function revokeFamily(
  server: AuthorizationServer,
  client: Client,
  token: PresentedToken,
): Promise<void> {
  const family = await server.reads.findTokenFamily(token.key);
  if (family?.clientId !== client.id) return;
  await server.writes.revokeFamily(family.key, server.clock());
}
