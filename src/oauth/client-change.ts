// Changing what is registered about an application. Members' consents stay as they are.

import type { Doer } from '../audit/doer.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { forgetOldUses } from './client-numbers.ts';
import type { Client, ClientSettings } from './client-store.ts';
import { checkedIntroduction, mergedReasons } from './introduction.ts';
import { InvalidRegistration } from './invalid-registration.ts';
import { checkRegistration } from './registration-rules.ts';
import { scopeSet } from './scope.ts';

/** What is left out stays as it is. An empty reason removes the earlier one. */
export type ClientChange = Partial<Omit<ClientSettings, 'scopes'> & { scopes: readonly string[] }>;

/**
 * Change an application, from its next request on. A callback address that is left out is refused at once; tokens
 * stay valid. `needsApproval`: what members go by has to be approved, and until then the application is deactivated.
 * False if there is no such application. Throws `InvalidRegistration`.
 */
export async function changeClient(
  by: Doer,
  { reads, writes }: AuthorizationServer,
  clientId: string,
  change: ClientChange,
  { needsApproval = false }: { needsApproval?: boolean } = {},
): Promise<boolean> {
  const client = await reads.findClient(clientId);
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
    clientId,
    settings,
    changed,
    needsApproval && mustWait(client, settings),
  );
  if (isChanged && changed.includes('redirectUris')) await forgetOldUses({ reads, writes }, clientId);
  return isChanged;
}

// What members decide by. Removing an address or a scope needs no approval.
function mustWait(client: Client, settings: ClientSettings): boolean {
  const known = new Set(client.redirectUris.map(placeOf));
  return (
    settings.name !== client.name ||
    settings.description !== client.description ||
    settings.homePage !== client.homePage ||
    settings.scopes.some((scope) => !client.scopes.includes(scope)) ||
    settings.redirectUris.some((uri) => !known.has(placeOf(uri)))
  );
}

function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return `${protocol}//${host}`;
}
