// Refreshing with rotation (RFC 6749 §6, spec §3.3, contract §4). A refresh token is the key of its sign-in's record
// with the secret of one generation. The record knows the newest generation only: the right key with another secret
// is a spent token.

import { SECOND, type Timestamp } from '../lib/clock.ts';
import { sameDigest } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import { type IssuedTokens, idTokenFor, mintAccessToken, REFRESH_TOKEN_LIFETIME } from './issued-tokens.ts';
import { isSubset, parseScope, type ScopeSet } from './scope.ts';
import type { Rotation, TokenFamily } from './store.ts';
import { isGenuine, mintToken, type PresentedToken, readTokenOf } from './token.ts';

// How long after a rotation the token before it is taken for the loser of a race rather than for stolen.
const RACE_WINDOW = 10 * SECOND;

/** Rotates the refresh token in the form. The old one is invalid from then on, in every case. */
export async function rotateRefreshToken(
  server: AuthorizationServer,
  client: Client,
  form: Form,
): Promise<IssuedTokens> {
  const presented = readTokenOf('refresh', form.required('refresh_token'), server.brand);
  const now = server.clock();

  const family = await findFamily(server, client, presented);
  if (!isGenuine(family.presented, family.refreshDigest)) {
    await judgeSpentToken(server, client, family, now);
    throw spent();
  }
  checkFamily(family, now);
  const scopes = narrowedScopes(form.get('scope'), family.scopes);

  const next = mintToken('refresh', server.brand, now, family.key);
  const accessToken = mintAccessToken(server, family.key, scopes, now);
  const rotation: Rotation = {
    familyKey: family.key,
    presentedDigest: family.presented.digest,
    nextDigest: next.digest,
    refreshExpiresAt: Math.min(now + REFRESH_TOKEN_LIFETIME, family.expiresAt),
    at: now,
    raceSince: raceSince(client, now),
  };
  const subject = { userId: family.userId, authenticatedAt: family.authenticatedAt, nonce: undefined };
  const idToken = await idTokenFor(server, client, scopes, subject, accessToken.text);
  const outcome = await server.writes.rotate(rotation, accessToken.record);
  if (outcome === 'refused') throw spent();
  return { accessToken: accessToken.text, refreshToken: next.text, scopes, idToken };
}

type PresentedFamily = TokenFamily & { presented: PresentedToken };

// A token of another application looks like an unknown one, and comes to no harm.
async function findFamily(
  server: AuthorizationServer,
  client: Client,
  presented: PresentedToken | undefined,
): Promise<PresentedFamily> {
  const family = presented && (await server.reads.findTokenFamily(presented.key));
  if (presented === undefined || family === undefined || family.clientId !== client.id) {
    throw new OAuthError('invalid_grant', 'The refresh token is not known.');
  }
  return { ...family, presented };
}

// A spent token that comes again was kept by someone who should not have it, or by the rightful application's
// thief: the sign-in ends (RFC 9700 §4.14.2). The one exception never yields tokens either.
async function judgeSpentToken(
  server: AuthorizationServer,
  client: Client,
  family: PresentedFamily,
  now: Timestamp,
): Promise<void> {
  const since = raceSince(client, now);
  const isPredecessor =
    family.previousDigest !== undefined && sameDigest(family.presented.digest, family.previousDigest);
  const lostRace = isPredecessor && since !== undefined && family.rotatedAt >= since;
  if (!lostRace) await server.writes.revokeFamily(family.key, now);
}

// Only an application that proved its identity is forgiven: anyone can send a public application's id.
function raceSince(client: Client, now: Timestamp): Timestamp | undefined {
  return client.kind === 'confidential' ? now - RACE_WINDOW : undefined;
}

function checkFamily(family: TokenFamily, now: Timestamp): void {
  if (family.revokedAt !== undefined) throw new OAuthError('invalid_grant', 'The refresh token was revoked.');
  if (family.refreshExpiresAt <= now || family.expiresAt <= now) {
    throw new OAuthError('invalid_grant', 'The refresh token has expired.');
  }
  if (family.accountStatus !== 'active')
    throw new OAuthError('invalid_grant', 'The account can not be used.');
}

// RFC 6749 §6: the new access token may read less than was granted, never more.
function narrowedScopes(asked: string | undefined, granted: ScopeSet): ScopeSet {
  if (asked === undefined) return granted;
  const scopes = parseScope(asked);
  if (scopes === undefined || scopes.length === 0) {
    throw new OAuthError('invalid_scope', 'None of the scopes asked for is known.');
  }
  if (!isSubset(scopes, granted)) {
    throw new OAuthError('invalid_scope', 'The scope is wider than what the member allowed.');
  }
  return scopes;
}

function spent(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token was already used.');
}
