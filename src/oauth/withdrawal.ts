// Withdrawing consent (contract §3): the codes and tokens of the application end for that member.

import type { MemberDoer, OperatorDoer, SystemDoer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** Withdraw a member's own consent to an application. False if no consent is in force. */
export function withdrawOwnConsent(
  server: AuthorizationServer,
  by: MemberDoer,
  clientId: string,
): Promise<boolean> {
  return server.writes.withdrawGrant(by, by.userId, clientId);
}

/** Withdraw another member's consent to an application. False if no consent is in force. */
export function withdrawConsent(
  server: AuthorizationServer,
  by: OperatorDoer | SystemDoer,
  userId: number,
  clientId: string,
): Promise<boolean> {
  return server.writes.withdrawGrant(by, userId, clientId);
}
