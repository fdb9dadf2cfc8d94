// Refreshing with rotation (RFC 6749 §6, spec §3.3, contract §4). A refresh token has its family's key and a
// secret of its own. A token with a family's key, but not its newest secret, was used before.

import { isoOf, SECOND, type Timestamp } from '../lib/clock.ts';
import { sameDigest } from '../lib/secrets.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import { type IssuedTokens, idTokenFor, mintAccessToken, REFRESH_TOKEN_LIFETIME } from './issued-tokens.ts';
import { type Presented, presented } from './presented-record.ts';
import type { BrokenRule, RequestRule } from './request-rules.ts';
import { checkResource } from './resource.ts';
import { formatScope, isSubset, noKnownScope, parseScope, type ScopeSet } from './scope.ts';
import type { Rotation, TokenFamily } from './store.ts';
import { formOfToken, isGenuine, mintToken, type PresentedToken, readTokenOf } from './token.ts';

// A client that presents the previous token this soon after a rotation has sent two refreshes in parallel.
const RACE_WINDOW = 10 * SECOND;

/** Begin to read the sign-in of the refresh token in the form, of whichever application. */
export function presentedFamily({ reads, brand }: AuthorizationServer, form: Form): Presented<TokenFamily> {
  const token = readTokenOf('refresh', form.get('refresh_token') ?? '', brand);
  return presented(token, ({ key }) => reads.findTokenFamily(key));
}

/** Rotate the refresh token in the form. The old one is invalid from then on, in every case. */
export async function rotateRefreshToken(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  address?: string,
  { token, record } = presentedFamily(server, form),
): Promise<IssuedTokens> {
  const text = form.required('refresh_token');
  const now = server.clock();
  if (token === undefined) throw malformed(server.brand, text);

  const family = { ...ofClient(client, await record), presented: token };
  if (!isGenuine(family.presented, family.refreshDigest)) {
    const hasRaced = await revokeUnlessRaced(server, client, family, { at: now, address });
    throw alreadyUsed(hasRaced ? 'refresh_token_raced' : 'refresh_token_used');
  }
  checkResource(form, server.issuer);
  checkFamily(family, now);
  const scopes = narrowedScopes(form.get('scope'), family.scopes);

  const next = mintToken('refresh', server.brand, now, family.key);
  const accessToken = mintAccessToken(server, family, scopes, now);
  const rotation: Rotation = {
    familyKey: family.key,
    presentedDigest: family.presented.digest,
    nextDigest: next.digest,
    refreshExpiresAt: Math.min(now + REFRESH_TOKEN_LIFETIME, family.expiresAt),
    at: now,
    raceSince: raceSince(client, now),
    address,
    owner: { userId: family.userId, clientId: client.id },
  };
  const subject = { userId: family.userId, authenticatedAt: family.authenticatedAt, nonce: undefined };
  const idToken = await idTokenFor(server, client, subject, accessToken);
  const outcome = await server.writes.rotate(rotation, accessToken.record);
  if (outcome === 'refused') {
    throw alreadyUsed(rotation.raceSince === undefined ? 'refresh_token_used' : 'refresh_token_raced');
  }
  const { expiresIn } = accessToken;
  return { accessToken: accessToken.text, expiresIn, refreshToken: next.text, scopes, idToken };
}

/** Report whether the refresh token is of one of the client's sign-ins, used or not. Changes nothing. */
export async function hasIssuedRefreshToken(
  client: Client,
  { record }: Presented<TokenFamily>,
): Promise<boolean> {
  return (await record)?.clientId === client.id;
}

type PresentedFamily = TokenFamily & { presented: PresentedToken };

// A token of another application looks like an unknown one, and stays usable.
function ofClient(client: Client, family: TokenFamily | undefined): TokenFamily {
  if (family?.clientId !== client.id) throw unknown({ rule: 'refresh_token_unknown' });
  return family;
}

function unknown(broken: BrokenRule): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is not known.', broken);
}

function malformed(brand: string, text: string): OAuthError {
  const { prefix, length } = formOfToken('refresh', brand);
  return unknown({
    rule: 'refresh_token_malformed',
    came: `length = ${text.length}`,
    expected: [`${prefix}..., length = ${length}`],
  });
}

// A thief has either the presented token, which was used before, or the newest one, so the sign-in is revoked
// (RFC 9700 §4.14.2). After a race of parallel refreshes it isn't revoked, but the loser gets no tokens. Returns
// whether it was such a race.
async function revokeUnlessRaced(
  server: AuthorizationServer,
  client: Client,
  family: PresentedFamily,
  { at, address }: { at: Timestamp; address: string | undefined },
): Promise<boolean> {
  const since = raceSince(client, at);
  const isPrevious =
    family.previousDigest !== undefined && sameDigest(family.presented.digest, family.previousDigest);
  const hasLostRace = isPrevious && since !== undefined && family.rotatedAt >= since;
  if (hasLostRace) return true;
  const owner = { userId: family.userId, clientId: client.id };
  await server.writes.revokeStolenFamily(family.key, { at, address, owner });
  return false;
}

// Only a confidential client is forgiven, because it has authenticated: anyone can send a public client's id.
function raceSince(client: Client, now: Timestamp): Timestamp | undefined {
  return client.kind === 'confidential' ? now - RACE_WINDOW : undefined;
}

function checkFamily(family: TokenFamily, now: Timestamp): void {
  // The same words for all, because applications must not learn the account's status (spec §2.2).
  const isRevoked = family.revokedAt !== undefined || family.pausedAt !== undefined;
  if (isRevoked || family.accountStatus !== 'active') {
    throw new OAuthError('invalid_grant', 'The refresh token was revoked.', {
      rule: 'refresh_token_revoked',
    });
  }
  if (family.refreshExpiresAt <= now || family.expiresAt <= now) {
    throw new OAuthError('invalid_grant', 'The refresh token has expired.', {
      rule: 'refresh_token_expired',
      came: isoOf(now),
      expected: [`< ${isoOf(Math.min(family.refreshExpiresAt, family.expiresAt))}`],
    });
  }
}

// RFC 6749 §6: the new access token may have fewer scopes than the grant, never more.
function narrowedScopes(text: string | undefined, familyScopes: ScopeSet): ScopeSet {
  if (text === undefined) return familyScopes;
  const scopes = parseScope(text);
  if (scopes === undefined || scopes.length === 0) {
    throw new OAuthError('invalid_scope', noKnownScope(text), {
      rule: 'scope_unknown',
      came: text,
      expected: familyScopes,
    });
  }
  if (!isSubset(scopes, familyScopes)) {
    throw new OAuthError(
      'invalid_scope',
      `The scope is wider than what the member allowed: ${formatScope(familyScopes)}.`,
      { rule: 'scope_wider', came: text, expected: familyScopes },
    );
  }
  return scopes;
}

function alreadyUsed(rule: RequestRule): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token was already used.', { rule });
}
