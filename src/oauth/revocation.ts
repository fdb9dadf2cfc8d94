// Revoking a token for the application that holds it (RFC 7009, spec §4.3, contract §5).

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import type { Form } from './form.ts';
import { isGenuine, type PresentedToken, readToken } from './token.ts';

/** Throw `invalid_request` for a form that can't be a revocation request, before any query. */
export function checkRevocationForm(form: Form): void {
  form.refuseMalformed();
  form.required('token');
}

/**
 * Revoke the client's own token: an access token alone, or a refresh token, even a used one, with its
 * sign-in. Any other token changes nothing and is no error (RFC 7009 §2.2): then this returns false. `token_type_hint`
 * is not needed.
 */
export async function revokeToken(server: AuthorizationServer, client: Client, form: Form): Promise<boolean> {
  const token = readToken(form.required('token'), server.brand);
  if (token?.kind === 'access') return revokeAccessToken(server, client, token);
  return token?.kind === 'refresh' && (await revokeFamily(server, client, token));
}

async function revokeAccessToken(
  server: AuthorizationServer,
  client: Client,
  token: PresentedToken,
): Promise<boolean> {
  const record = await server.reads.findAccessToken(token.key);
  if (record === undefined || !isGenuine(token, record.digest) || record.clientId !== client.id) {
    return false;
  }
  await server.writes.revokeAccessToken(token.key, server.clock());
  return true;
}

async function revokeFamily(
  server: AuthorizationServer,
  client: Client,
  token: PresentedToken,
): Promise<boolean> {
  const family = await server.reads.findTokenFamily(token.key);
  if (family?.clientId !== client.id) return false;
  await server.writes.revokeFamily(family.key, server.clock());
  return true;
}
