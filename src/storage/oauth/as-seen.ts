// An application as someone saw it who decides about it: the decision counts for nothing else.

import type { Client, ClientSettings } from '../../oauth/client-store.ts';
import { fragment } from '../engine/sql.ts';
import { settingsColumns } from './client-columns.ts';
import type { Stored } from './stored.ts';

type Seen<T> = { [K in keyof T & string as `seen${Capitalize<K>}`]: T[K] };

export type SeenSettings = Seen<Stored<ClientSettings>>;

export type AsSeen = SeenSettings & Seen<Pick<Client, 'ownerId' | 'status' | 'deactivation' | 'logo'>>;

/** The values of `HAS_SEEN_SETTINGS`. */
export function seenSettings(client: ClientSettings): SeenSettings {
  const { name, description, homePage, scopes, ...others } = settingsColumns(client);
  return {
    seenName: name,
    seenDescription: description,
    seenHomePage: homePage,
    seenScopes: scopes,
    seenRedirectUris: others.redirectUris,
    seenPostLogoutRedirectUris: others.postLogoutRedirectUris,
    seenRequiredScopes: others.requiredScopes,
    seenScopeReasons: others.scopeReasons,
  };
}

/** The values of `IS_AS_SEEN`. */
export function asSeen(client: Client): AsSeen {
  const { ownerId, status, deactivation, logo } = client;
  return {
    ...seenSettings(client),
    seenOwnerId: ownerId,
    seenStatus: status,
    seenDeactivation: deactivation,
    seenLogo: logo,
  };
}

/** For a WHERE: what its owner can change is as it was. */
export const HAS_SEEN_SETTINGS = fragment`
  name = :seenName AND description = :seenDescription AND scopes = :seenScopes
  AND redirect_uris = :seenRedirectUris AND post_logout_redirect_uris = :seenPostLogoutRedirectUris
  AND required_scopes = :seenRequiredScopes AND scope_reasons = :seenScopeReasons
  AND coalesce(home_page, '') = coalesce(cast(:seenHomePage AS text), '')`;

/** For a WHERE: nothing is otherwise that operators and members see. */
export const IS_AS_SEEN = fragment`
  ${HAS_SEEN_SETTINGS}
  AND coalesce(owner_id, 0) = coalesce(cast(:seenOwnerId AS bigint), 0)
  AND coalesce(logo, '') = coalesce(cast(:seenLogo AS text), '')
  AND status = :seenStatus AND coalesce(deactivation, '') = coalesce(cast(:seenDeactivation AS text), '')`;
