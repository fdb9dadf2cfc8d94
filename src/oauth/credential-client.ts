// Which application a credential belongs to, for the request inspector: its developer learns that a refresh token, a
// code or a secret was sent where only an access token helps.

import type { AuthorizationServer } from './authorization-server.ts';
import type { OAuthReads } from './store.ts';
import { isGenuine, type PresentedToken, readToken } from './token.ts';

/** Find the application that a credential was issued to. Undefined if it is not known, or belongs to none. */
export async function clientOfCredential(
  { reads, brand }: AuthorizationServer,
  text: string,
): Promise<{ clientId: string; digest: string } | undefined> {
  const token = readToken(text, brand);
  const clientId = token && (await clientIdOf(reads, token));
  return token === undefined || clientId === undefined ? undefined : { clientId, digest: token.digest };
}

async function clientIdOf(reads: OAuthReads, token: PresentedToken): Promise<string | undefined> {
  switch (token.kind) {
    case 'clientSecret':
      return (await reads.findClientBySecret(token.digest))?.id;
    case 'refresh':
      // A spent refresh token has the key of its family. Nobody guesses 83 random bits.
      return (await reads.findTokenFamily(token.key))?.clientId;
    case 'code':
      return ofGenuine(token, await reads.findAuthorizationCode(token.key));
    case 'access':
      return ofGenuine(token, await reads.findAccessToken(token.key));
    case 'personal':
      return undefined;
  }
}

function ofGenuine(token: PresentedToken, record: { clientId: string; digest: string } | undefined) {
  return record !== undefined && isGenuine(token, record.digest) ? record.clientId : undefined;
}
