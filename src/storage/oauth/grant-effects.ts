// What a change of a consent does to its unredeemed codes and its sign-ins. The codes come first: that waits for a
// redemption in progress, so the next statement sees its sign-in. Access tokens follow their sign-in.

import type { Timestamp } from '../../lib/clock.ts';
import type { Scope, ScopeSet } from '../../oauth/scope.ts';
import { type Bound, fragment, sql } from '../engine/sql.ts';
import { voidCodesOf } from './authorization-codes.ts';
import { revokeFamiliesOf } from './token-families.ts';

/** A member's consent to an application, and when it changes. */
export interface GrantChange extends OfGrant {
  at: Timestamp;
}

interface OfGrant {
  userId: number;
  clientId: string;
}

/** End all of them. */
export function endAccess(change: GrantChange): Bound<unknown>[] {
  return [voidCodesOf(change), revokeFamiliesOf(change)];
}

/** Take scopes from all of them, and end those that have none left. */
export function takeScopes(change: GrantChange, scopes: ScopeSet): Bound<unknown>[] {
  if (scopes.length === 0) return [];
  return [
    ...scopes.map((scope) => takeScopeFromCodes({ ...change, scope: wordOf(scope) })),
    voidCodesWithoutScope(change),
    ...scopes.map((scope) => takeScopeFromFamilies({ ...change, scope: wordOf(scope) })),
    revokeFamiliesWithoutScope(change),
  ];
}

export function pauseAccess(change: GrantChange): Bound<unknown>[] {
  return [pauseCodes(change), pauseFamilies(change)];
}

export function resumeAccess(change: GrantChange): Bound<unknown>[] {
  return [resumeCodes(change), resumeFamilies(change)];
}

/** Let none of them outlive the end of the consent. */
export function shortenAccess(change: GrantChange, endsAt: Timestamp | undefined): Bound<unknown>[] {
  if (endsAt === undefined) return [];
  return [shortenCodes({ ...change, endsAt }), shortenFamilies({ ...change, endsAt })];
}

// In a list that has a space at both ends, the spaces around a scope make its name unmistakable.
function wordOf(scope: Scope): string {
  return ` ${scope} `;
}

const LIVE_CODES = fragment`
  user_id = :userId AND client_id = :clientId AND redeemed_at IS NULL AND voided_at IS NULL`;

const LIVE_FAMILIES = fragment`
  user_id = :userId AND client_id = :clientId AND revoked_at IS NULL`;

const WITHOUT_SCOPE = fragment`
  scopes = trim(replace(' ' || scopes || ' ', :scope, ' '))`;

const HAVE_SCOPE = fragment`
  ' ' || scopes || ' ' LIKE '%' || :scope || '%'`;

const takeScopeFromCodes = sql<OfGrant & { scope: string }>`
  UPDATE authorization_codes SET ${WITHOUT_SCOPE} WHERE ${LIVE_CODES} AND ${HAVE_SCOPE}`;

const voidCodesWithoutScope = sql<GrantChange>`
  UPDATE authorization_codes SET voided_at = :at WHERE ${LIVE_CODES} AND scopes = ''`;

const takeScopeFromFamilies = sql<OfGrant & { scope: string }>`
  UPDATE token_families SET ${WITHOUT_SCOPE} WHERE ${LIVE_FAMILIES} AND ${HAVE_SCOPE}`;

const revokeFamiliesWithoutScope = sql<GrantChange>`
  UPDATE token_families SET revoked_at = :at WHERE ${LIVE_FAMILIES} AND scopes = ''`;

const pauseCodes = sql<GrantChange>`
  UPDATE authorization_codes SET paused_at = :at WHERE ${LIVE_CODES}`;

const pauseFamilies = sql<GrantChange>`
  UPDATE token_families SET paused_at = :at WHERE ${LIVE_FAMILIES}`;

const resumeCodes = sql<OfGrant>`
  UPDATE authorization_codes SET paused_at = NULL WHERE ${LIVE_CODES} AND paused_at IS NOT NULL`;

const resumeFamilies = sql<OfGrant>`
  UPDATE token_families SET paused_at = NULL WHERE ${LIVE_FAMILIES} AND paused_at IS NOT NULL`;

const shortenCodes = sql<OfGrant & { endsAt: Timestamp }>`
  UPDATE authorization_codes SET grant_ends_at = :endsAt
  WHERE ${LIVE_CODES} AND (grant_ends_at IS NULL OR grant_ends_at > :endsAt)`;

const shortenFamilies = sql<OfGrant & { endsAt: Timestamp }>`
  UPDATE token_families SET expires_at = :endsAt,
    refresh_expires_at = CASE WHEN refresh_expires_at > :endsAt THEN :endsAt ELSE refresh_expires_at END
  WHERE ${LIVE_FAMILIES} AND expires_at > :endsAt`;
