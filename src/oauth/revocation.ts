// Revoking a token for the application that holds it (RFC 7009, spec §4.3, contract §5).

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import type { Form } from './form.ts';
import { type Presented, presented } from './presented-record.ts';
import type { AccessToken, TokenFamily } from './store.ts';
import { isGenuine, readToken } from './token.ts';

/** Throw `invalid_request` for a form that can't be a revocation request, before any query. */
export function checkRevocationForm(form: Form): void {
  form.refuseMalformed();
  form.required('token');
}

/** The record of the token in a form: an access token, or the sign-in of a refresh token. */
export type PresentedRecord = Presented<AccessToken | TokenFamily>;

/** Begin to read the record of the token in the form, of whichever application. */
export function presentedRecord({ reads, brand }: AuthorizationServer, form: Form): PresentedRecord {
  return presented<AccessToken | TokenFamily>(
    readToken(form.required('token'), brand),
    async ({ kind, key }) => {
      if (kind === 'access') return reads.findAccessToken(key);
      return kind === 'refresh' ? reads.findTokenFamily(key) : undefined;
    },
  );
}

/** Report whether the token was issued to the client, and may have been used or revoked since. */
export async function isTokenOf(client: Client, { token, record }: PresentedRecord): Promise<boolean> {
  const found = await record;
  if (token === undefined || found?.clientId !== client.id) return false;
  return 'digest' in found ? isGenuine(token, found.digest) : true;
}

/**
 * Revoke the client's own token: an access token alone, or a refresh token, even a used one, with its
 * sign-in. Any other token changes nothing and is no error (RFC 7009 §2.2): then this returns false. `token_type_hint`
 * is not needed.
 */
export async function revokeToken(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  request = presentedRecord(server, form),
): Promise<boolean> {
  const { token } = request;
  if (token === undefined || !(await isTokenOf(client, request))) return false;
  await (token.kind === 'access'
    ? server.writes.revokeAccessToken(token.key, server.clock())
    : server.writes.revokeFamily(token.key, server.clock()));
  return true;
}
