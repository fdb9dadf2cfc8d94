// Operators look at applications that wait for approval, and at new logos, and approve or refuse them.

import type { Doer, OperatorDoer } from '../audit/doer.ts';
import { oneLine } from '../lib/one-line.ts';
import { digestOf } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';

export type { WaitingClient } from './client-review-store.ts';

/** The longest reason for a refusal. */
export const MOST_REASON_CHARACTERS = 500;

/** `changed`: it is no longer what the operator saw. `reason`: the reason is missing or too long. */
export type ReviewOutcome = 'approved' | 'refused' | 'changed' | 'reason';

/** Report whether operators have to look at the application, or at its logo. */
export function isWaiting({ deactivation, status, logo, isLogoApproved }: Client): boolean {
  return deactivation === 'approval' || (status === 'active' && logo !== undefined && !isLogoApproved);
}

/** Identify what operators and members see of an application, so that a decision is about nothing else. */
export function markOf(client: Client): string {
  const { name, description, homePage, ownerId, logo, scopes, redirectUris, postLogoutRedirectUris } = client;
  const { requiredScopes, scopeReasons, deactivation, claimedName } = client;
  const addresses = [homePage, redirectUris, postLogoutRedirectUris];
  const asked = [scopes, requiredScopes, scopeReasons];
  return digestOf(
    JSON.stringify([name, claimedName, description, ownerId, logo, deactivation, addresses, asked]),
  );
}

/** Report whether the application still is what was seen of it. */
export async function isAsSeen({ reads }: AuthorizationServer, seen: Client): Promise<boolean> {
  const client = await reads.findClient(seen.id);
  return client !== undefined && markOf(client) === markOf(seen);
}

/** Approve an application with its logo as the operator saw it, and tell its owner. */
export async function approveClient(
  by: OperatorDoer,
  server: AuthorizationServer,
  seen: { clientId: string; mark: string },
): Promise<ReviewOutcome> {
  const client = await findSeen(server, seen);
  return client !== undefined && (await server.writes.approveClient(by, client)) ? 'approved' : 'changed';
}

/** Refuse an application, or remove the logo of one that works, and tell its owner the reason. */
export async function refuseClient(
  by: OperatorDoer,
  server: AuthorizationServer,
  seen: { clientId: string; mark: string },
  text: string,
): Promise<ReviewOutcome> {
  const reason = oneLine(text);
  if (reason === '' || [...reason].length > MOST_REASON_CHARACTERS) return 'reason';
  const client = await findSeen(server, seen);
  const isRefused = client !== undefined && (await server.writes.refuseClient(by, client, reason));
  return isRefused ? 'refused' : 'changed';
}

/** Ask operators to look at a refused application again. False if it isn't refused. */
export function askForApproval(
  by: Doer,
  { writes }: AuthorizationServer,
  clientId: string,
): Promise<boolean> {
  return writes.askForApproval(by, clientId);
}

async function findSeen(
  { reads }: AuthorizationServer,
  { clientId, mark }: { clientId: string; mark: string },
): Promise<Client | undefined> {
  const client = await reads.findClient(clientId);
  return client !== undefined && isWaiting(client) && markOf(client) === mark ? client : undefined;
}
