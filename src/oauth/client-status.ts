// Activating and deactivating applications. The server refuses a deactivated application and its tokens, and
// accepts both again when it is activated.

import type { Doer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';

/**
 * Activate an application. `seen`: only if it is still what an operator saw. False if there is no such application.
 */
export function activateClient(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
  seen?: Client,
): Promise<boolean> {
  return writes.setClientStatus(by, clientId, 'active', seen);
}

/** Deactivate an application from its next request on. False if there is no such application. */
export function deactivateClient(by: Doer, server: AuthorizationServer, clientId: string): Promise<boolean> {
  return server.writes.setClientStatus(by, clientId, 'deactivated');
}
