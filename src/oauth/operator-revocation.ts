// Revoking a token that someone handed to the operator: whoever's it is, and of every kind.

import type { Act } from '../identity/act.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { isGenuine, readToken } from './token.ts';

/**
 * Revokes an access token alone, a refresh token (of any generation) with its whole sign-in, a personal token. Returns
 * its kind, undefined if it is not known. Revoking again changes nothing.
 */
export async function revokeAsOperator(
  { reads, writes, clock, brand }: AuthorizationServer,
  text: string,
  act?: Act,
): Promise<'access' | 'refresh' | 'personal' | undefined> {
  const token = readToken(text, brand);
  switch (token?.kind) {
    case 'access': {
      const found = await reads.findAccessToken(token.key);
      if (found === undefined || !isGenuine(token, found.digest)) return undefined;
      await writes.revokeAccessToken(found.key, clock(), act);
      return 'access';
    }
    case 'refresh': {
      // A spent one no longer has a digest to be compared with, and tells of its sign-in all the same.
      const family = await reads.findTokenFamily(token.key);
      if (family === undefined) return undefined;
      await writes.revokeFamily(family.key, clock(), act);
      return 'refresh';
    }
    case 'personal': {
      const found = await reads.findPersonalToken(token.key);
      if (found === undefined || !isGenuine(token, found.digest)) return undefined;
      await writes.revokePersonalToken(found.id, undefined, clock(), act);
      return 'personal';
    }
    default:
      return undefined;
  }
}
