// The application that a request names by its client_id.

import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';

/**
 * Find an application, active or not. One that describes itself is found by the address of its document only, while the
 * operators accept such applications.
 */
export async function findAcceptedClient(
  { reads, documentPolicy }: AuthorizationServer,
  clientId: string,
): Promise<Client | undefined> {
  const client = await reads.findClient(clientId);
  if (client?.documentUrl === undefined) return client;
  return client.documentUrl === clientId && (await documentPolicy()) !== 'off' ? client : undefined;
}
