// All applications, for operators.

import { inPieces } from '../lib/pieces.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client, OwnedClient } from './client-store.ts';

/** Which applications a list has. An undefined property allows any. */
export interface ClientQuery {
  status?: Client['status'] | undefined;
  kind?: Client['kind'] | undefined;
  ownerId?: number | undefined;
  /** Part of a name, the id or a redirect URI, in any case. */
  search?: string | undefined;
}

// Applications are read in batches that fit into memory.
const BATCH = 200;

/** All applications that match, newest first. */
export async function* matchingClients(
  { reads }: Pick<AuthorizationServer, 'reads'>,
  query: ClientQuery,
): AsyncGenerator<OwnedClient> {
  const all = inPieces(BATCH, (last: OwnedClient | undefined) => reads.clientsBefore(last?.client.id, BATCH));
  for await (const owned of all) if (isMatch(owned.client, query)) yield owned;
}

function isMatch(client: Client, { status, kind, ownerId, search = '' }: ClientQuery): boolean {
  const text = search.toLowerCase();
  return (
    (status === undefined || client.status === status) &&
    (kind === undefined || client.kind === kind) &&
    (ownerId === undefined || client.ownerId === ownerId) &&
    [client.name, client.claimedName ?? '', client.id, ...client.redirectUris].some((field) =>
      field.toLowerCase().includes(text),
    )
  );
}
