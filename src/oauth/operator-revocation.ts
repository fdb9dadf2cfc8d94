// Revoking any member's token of any kind, for an operator to whom it was reported: for example a token that
// was published by mistake.

import type { OperatorDoer, SystemDoer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { isGenuine, readToken } from './token.ts';

/**
 * Revoke an access token alone, a refresh token (of any generation) with its whole sign-in, or a personal
 * token. Returns its kind, or undefined if it is unknown. Revoking again changes nothing.
 */
export async function revokeAsOperator(
  by: OperatorDoer | SystemDoer,
  { reads, writes, brand }: AuthorizationServer,
  text: string,
): Promise<'access' | 'refresh' | 'personal' | undefined> {
  const token = readToken(text, brand);
  switch (token?.kind) {
    case 'access': {
      const accessToken = await reads.findAccessToken(token.key);
      if (accessToken === undefined || !isGenuine(token, accessToken.digest)) return undefined;
      await writes.revokeAccessTokenBy(by, accessToken.key);
      return 'access';
    }
    case 'refresh': {
      // The family keeps no digest of a spent token, so its key alone identifies it.
      const family = await reads.findTokenFamily(token.key);
      if (family === undefined) return undefined;
      await writes.revokeFamilyBy(by, family.key);
      return 'refresh';
    }
    case 'personal': {
      const personalToken = await reads.findPersonalToken(token.key);
      if (personalToken === undefined || !isGenuine(token, personalToken.digest)) return undefined;
      await writes.revokeReportedPersonalToken(by, personalToken.id);
      return 'personal';
    }
    default:
      return undefined;
  }
}
