// Activating and deactivating applications. The server refuses a deactivated application and its tokens, and
// accepts both again when it is activated.

import type { Doer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** Activate an application. False if there is no such application. */
export function activateClient(server: AuthorizationServer, by: Doer, clientId: string): Promise<boolean> {
  return server.writes.setClientStatus(by, clientId, 'active');
}

/** Deactivate an application from its next request on. False if there is no such application. */
export function deactivateClient(server: AuthorizationServer, by: Doer, clientId: string): Promise<boolean> {
  return server.writes.setClientStatus(by, clientId, 'deactivated');
}
