// The columns of an application, and how they differ from the fields of its record.

import type { Client, ClientSettings } from '../../oauth/client-store.ts';
import { fragment } from '../engine/sql.ts';
import { digestColumn, digestOfColumn } from './digest-column.ts';
import { scopesColumn, scopesOf } from './scopes-column.ts';
import type { Stored } from './stored.ts';

/** What an operator approves with a logo: another picture, name or owner needs another approval. */
export const LOGO_AS_SHOWN = fragment`
  clients.logo || ' ' || cast(coalesce(clients.owner_id, 0) AS text) || ' ' || clients.name`;

/** The column that says whether members see the logo: 0 or 1. */
export const IS_LOGO_APPROVED = fragment`
  CASE WHEN clients.logo_approved_as = ${LOGO_AS_SHOWN} THEN 1 ELSE 0 END AS "isLogoApproved"`;

/** All columns that `clientOf` reads. */
export const CLIENT_COLUMNS = fragment`
  clients.id, clients.name, clients.kind, clients.secret_digest AS "secretDigest",
  clients.owner_id AS "ownerId", clients.scopes, clients.redirect_uris AS "redirectUris",
  clients.post_logout_redirect_uris AS "postLogoutRedirectUris",
  clients.accepts_missing_state_and_nonce AS "acceptsMissingStateAndNonce",
  clients.id_token_alg AS "idTokenAlg", clients.required_scopes AS "requiredScopes",
  clients.scope_reasons AS "scopeReasons", clients.home_page AS "homePage", clients.description,
  clients.status, clients.created_at AS "createdAt", clients.secret_ending AS "secretEnding",
  clients.secret_added_at AS "secretAddedAt", clients.previous_secret_digest AS "previousSecretDigest",
  clients.previous_secret_ending AS "previousSecretEnding",
  clients.previous_secret_until AS "previousSecretUntil", clients.deactivation,
  clients.delete_at AS "deleteAt", clients.transfer_to AS "transferTo",
  clients.transfer_until AS "transferUntil", clients.former_name AS "formerName",
  clients.renamed_at AS "renamedAt", clients.owner_since AS "ownerSince", clients.document_url AS "documentUrl",
  clients.document_fresh_until AS "documentFreshUntil", clients.claimed_name AS "claimedName", clients.logo,
  ${IS_LOGO_APPROVED},
  clients.approved_at AS "approvedAt", clients.review_note AS "reviewNote"`;

/** The application in a row that has the `CLIENT_COLUMNS`, and no others. */
export function clientOf(row: Stored<Client>): Client {
  return {
    ...row,
    secretDigest: row.secretDigest && digestOfColumn(row.secretDigest),
    previousSecretDigest: row.previousSecretDigest && digestOfColumn(row.previousSecretDigest),
    scopes: scopesOf(row.scopes),
    redirectUris: JSON.parse(row.redirectUris),
    postLogoutRedirectUris: JSON.parse(row.postLogoutRedirectUris),
    acceptsMissingStateAndNonce: row.acceptsMissingStateAndNonce === 1,
    isLogoApproved: row.isLogoApproved === 1,
    requiredScopes: row.requiredScopes === '' ? [] : scopesOf(row.requiredScopes),
    scopeReasons: JSON.parse(row.scopeReasons),
  };
}

/** The row of an application. */
export function clientRow(client: Client): Stored<Client> {
  const { secretDigest, previousSecretDigest } = client;
  return {
    ...client,
    secretDigest: secretDigest === undefined ? undefined : digestColumn(secretDigest),
    previousSecretDigest: previousSecretDigest === undefined ? undefined : digestColumn(previousSecretDigest),
    acceptsMissingStateAndNonce: client.acceptsMissingStateAndNonce ? 1 : 0,
    isLogoApproved: client.isLogoApproved ? 1 : 0,
    ...settingsColumns(client),
  };
}

/** The columns that the owner can change. */
export function settingsColumns(settings: ClientSettings): Stored<ClientSettings> {
  const { name, homePage, description } = settings;
  return {
    name,
    homePage,
    description,
    scopes: scopesColumn(settings.scopes),
    redirectUris: JSON.stringify(settings.redirectUris),
    postLogoutRedirectUris: JSON.stringify(settings.postLogoutRedirectUris),
    requiredScopes: scopesColumn(settings.requiredScopes),
    scopeReasons: JSON.stringify(settings.scopeReasons),
  };
}
