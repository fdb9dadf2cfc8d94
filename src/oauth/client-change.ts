// Changing what is registered about an application. Members' consents stay as they are.

import type { Doer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { forgetOldUses } from './client-numbers.ts';
import {
  type ApprovalAfterChange,
  type Client,
  type ClientSettings,
  REASON_LANGUAGES,
  type ReasonLanguage,
} from './client-store.ts';
import { checkedIntroduction, mergedReasons } from './introduction.ts';
import { InvalidRegistration } from './invalid-registration.ts';
import { checkRegistration } from './registration-rules.ts';
import { isSubset, SCOPES, scopeSet } from './scope.ts';

/** What is left out stays as it is. An empty reason removes the earlier one. */
export type ClientChange = Partial<Omit<ClientSettings, 'scopes'> & { scopes: readonly string[] }>;

/**
 * Change an application, from its next request on. A callback address that is left out is refused at once; tokens
 * stay valid. `needsApproval`: what members go by has to be approved, and until then the application is deactivated.
 * `seen`: the application as the caller read it. False if there is no such application, or if it was changed
 * meanwhile: then what was judged is not what would be stored. Throws `InvalidRegistration`.
 */
export async function changeClient(
  by: Doer,
  { reads, writes }: AuthorizationServer,
  clientId: string,
  change: ClientChange,
  { needsApproval = false, seen }: { needsApproval?: boolean; seen?: Client } = {},
): Promise<boolean> {
  const client = seen ?? (await reads.findClient(clientId));
  if (client === undefined) return false;
  if (client.documentUrl !== undefined) {
    throw new InvalidRegistration(
      'name',
      `The application changes with its document, ${client.documentUrl}.`,
    );
  }
  const wanted = { ...client, ...change };
  checkRegistration(wanted);
  const scopes = scopeSet(wanted.scopes);
  const scopeReasons = mergedReasons(client.scopeReasons, change.scopeReasons ?? {});
  const settings: ClientSettings = {
    name: wanted.name.trim(),
    scopes,
    redirectUris: wanted.redirectUris,
    postLogoutRedirectUris: wanted.postLogoutRedirectUris,
    ...checkedIntroduction(scopes, { ...wanted, scopeReasons }),
  };
  const names = Object.keys(settings) as (keyof ClientSettings)[];
  const changed = names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(client[name]));
  if (changed.length === 0) return true;
  const isChanged = await writes.changeClient(
    by,
    client,
    settings,
    changed,
    approvalOf(isSeenByMembers(client, settings), needsApproval),
  );
  if (isChanged && changed.includes('redirectUris')) await forgetOldUses({ reads, writes }, clientId);
  return isChanged;
}

/** What becomes of an approval. */
export function approvalOf(isSeenByMembers: boolean, needsApproval: boolean): ApprovalAfterChange {
  if (!isSeenByMembers) return 'kept';
  return needsApproval ? 'needed' : 'ended';
}

// What members decide by, and the hosts to which they are sent. Taking something away needs no approval, and neither
// does another path: members see the host, and its owner could answer differently at the old path as well. Codes go to
// callbacks, so a host that is known from signing out is new there.
function isSeenByMembers(client: Client, settings: ClientSettings): boolean {
  return (
    settings.name !== client.name ||
    settings.description !== client.description ||
    settings.homePage !== client.homePage ||
    !isSubset(settings.scopes, client.scopes) ||
    !isSubset(settings.requiredScopes, client.requiredScopes) ||
    hasNewReason(client, settings) ||
    hasNewPlace(settings.redirectUris, client.redirectUris) ||
    hasNewPlace(settings.postLogoutRedirectUris, [...client.redirectUris, ...client.postLogoutRedirectUris])
  );
}

/** Report whether one of the addresses is on another host than those. */
export function hasNewPlace(addresses: readonly string[], known: readonly string[]): boolean {
  const places = new Set(known.map(placeOf));
  return addresses.some((address) => !places.has(placeOf(address)));
}

function hasNewReason({ scopeReasons: before }: Client, { scopeReasons }: ClientSettings): boolean {
  const isNew = (scope: (typeof SCOPES)[number], language: ReasonLanguage) => {
    const reason = scopeReasons[scope]?.[language];
    return reason !== undefined && reason !== before[scope]?.[language];
  };
  return SCOPES.some((scope) => REASON_LANGUAGES.some((language) => isNew(scope, language)));
}

function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return `${protocol}//${host}`;
}
