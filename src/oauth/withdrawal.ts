// Withdrawing consent (contract §3): the codes and tokens of the application end for that member.

import type { MemberDoer, OperatorDoer, SystemDoer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** Withdraw a member's own consent to an application. False if no consent is in force. */
export function withdrawOwnConsent(
  by: MemberDoer,
  server: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return server.writes.withdrawGrant(by, by.userId, clientId);
}

/** End one of a member's own sign-ins at an application. False if they have no such live sign-in. */
export function endOwnSignIn(by: MemberDoer, server: AuthorizationServer, key: string): Promise<boolean> {
  return server.writes.revokeOwnFamily(by, key);
}

/** Withdraw another member's consent to an application. False if no consent is in force. */
export function withdrawConsent(
  by: OperatorDoer | SystemDoer,
  server: AuthorizationServer,
  userId: number,
  clientId: string,
): Promise<boolean> {
  return server.writes.withdrawGrant(by, userId, clientId);
}
