// Pausing consent: the application's codes and tokens are refused like revoked ones, and keep their lifetimes. They
// are accepted again after the member resumes it, here or by allowing a request of the application.

import type { MemberDoer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** Pause a member's own consent to an application. False if none is in force, or it is paused already. */
export function pauseOwnConsent(
  by: MemberDoer,
  server: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return server.writes.pauseGrant(by, by.userId, clientId);
}

/** Resume a member's own consent to an application. False if it is not paused. */
export function resumeOwnConsent(
  by: MemberDoer,
  server: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return server.writes.resumeGrant(by, by.userId, clientId);
}
