// Redeeming an authorization code (RFC 6749 §4.1.3, spec §3.1, §3.2). The checks are here. Storage makes sure
// that a code is redeemed only once.

import { isoOf, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Client } from './client-store.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import {
  ACCESS_TOKEN_LIFETIME,
  FAMILY_LIFETIME,
  type IssuedTokens,
  idTokenFor,
  mintAccessToken,
  REFRESH_TOKEN_LIFETIME,
} from './issued-tokens.ts';
import { mismatchOf, verifierMatches } from './pkce.ts';
import { type Presented, presented } from './presented-record.ts';
import { checkResource } from './resource.ts';
import type { AuthorizationCode, NewTokenFamily } from './store.ts';
import { formOfToken, isGenuine, type MintedToken, mintToken, readTokenOf } from './token.ts';

// Each round but the first needs a change of the consent while the one before it ran.
const MOST_TRIES = 10;

/** Begin to read the code in the form, of whichever application. */
export function presentedCode(server: AuthorizationServer, form: Form): Presented<AuthorizationCode> {
  return codeOf(server, form.get('code') ?? '');
}

/** Redeem the code in the form. A failed check does not consume the code. */
export async function redeemAuthorizationCode(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  address?: string,
  code = presentedCode(server, form),
): Promise<IssuedTokens> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const current = tries === 0 ? code : presentedCode(server, form);
    const tokens = await redeemUnlessChanged(server, client, form, address, current);
    if (tokens !== undefined) return tokens;
  }
  throw new Error('A consent changed faster than its code could be redeemed.');
}

// Undefined if the member narrowed, paused, shortened or removed the access a moment ago. Nothing has happened then.
async function redeemUnlessChanged(
  server: AuthorizationServer,
  client: Client,
  form: Form,
  address: string | undefined,
  codeInForm: Presented<AuthorizationCode>,
): Promise<IssuedTokens | undefined> {
  const codeText = form.required('code');
  const now = server.clock();

  const code = await ofClient(client, codeInForm);
  if (code?.redeemedAt !== undefined) {
    // Spec §3.2. A second use means that the code was stolen, even if the request is wrong in other ways.
    await server.writes.revokeAfterReplay({ code, address, at: now });
    throw alreadyUsed();
  }
  checkResource(form, server.issuer);
  const redirectUri = form.required('redirect_uri');
  if (code === undefined) {
    const { prefix, length } = formOfToken('code', server.brand);
    throw new OAuthError(
      'invalid_grant',
      'The authorization code is not known.',
      codeInForm.token !== undefined
        ? { rule: 'code_unknown' }
        : {
            rule: 'code_malformed',
            came: `length = ${codeText.length}`,
            expected: [`${prefix}..., length = ${length}`],
          },
    );
  }
  checkCode(code, redirectUri, form.get('code_verifier'), now);

  const refreshToken = mintToken('refresh', server.brand, now);
  const family = newFamily(code, refreshToken, now);
  const accessToken = mintAccessToken(server, family, code.scopes, now);
  // Signed before the code is redeemed: if signing fails, the code stays usable.
  const idToken = await idTokenFor(server, client, code, accessToken);
  const outcome = await server.writes.redeem(code, family, accessToken.record, now, address);
  if (outcome === 'refused') throw alreadyUsed();
  if (outcome === 'changed') return undefined;
  return {
    accessToken: accessToken.text,
    expiresIn: accessToken.expiresIn,
    refreshToken: code.duration === 'once' ? undefined : refreshToken.text,
    scopes: code.scopes,
    idToken,
  };
}

/** Report whether the code was issued to the client, redeemed or not. Changes nothing. */
export async function hasIssuedCode(client: Client, code: Presented<AuthorizationCode>): Promise<boolean> {
  return (await ofClient(client, code)) !== undefined;
}

/** Report whether the code of the client was redeemed. To present it again would end all of the member's sign-ins. */
export async function isRedeemed(
  server: AuthorizationServer,
  client: Client,
  codeText: string,
): Promise<boolean> {
  return (await ofClient(client, codeOf(server, codeText)))?.redeemedAt !== undefined;
}

function codeOf({ reads, brand }: AuthorizationServer, codeText: string): Presented<AuthorizationCode> {
  return presented(readTokenOf('code', codeText, brand), ({ key }) => reads.findAuthorizationCode(key));
}

// A code of another application looks like an unknown one, and stays usable.
async function ofClient(
  client: Client,
  { token, record }: Presented<AuthorizationCode>,
): Promise<AuthorizationCode | undefined> {
  const code = await record;
  if (token === undefined || code === undefined) return undefined;
  return isGenuine(token, code.digest) && code.clientId === client.id ? code : undefined;
}

function checkCode(
  code: AuthorizationCode,
  redirectUri: string,
  codeVerifier: string | undefined,
  now: Timestamp,
): void {
  // The same words for all, because applications must not learn the account's status (spec §2.2).
  const isRevoked = code.voidedAt !== undefined || code.pausedAt !== undefined;
  if (isRevoked || code.accountStatus !== 'active') {
    throw new OAuthError('invalid_grant', 'The authorization code was revoked.', { rule: 'code_revoked' });
  }
  if (code.expiresAt <= now) {
    throw new OAuthError('invalid_grant', 'The authorization code has expired.', {
      rule: 'code_expired',
      came: isoOf(now),
      expected: [`< ${isoOf(code.expiresAt)}`],
    });
  }
  if (code.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'The redirect_uri is not the one of the authorization request.', {
      rule: 'code_redirect_uri_differs',
      came: redirectUri,
      expected: [code.redirectUri],
    });
  }
  checkCodeVerifier(code.codeChallenge, codeVerifier);
}

function checkCodeVerifier(challenge: string | undefined, verifier: string | undefined): void {
  if (challenge === undefined) {
    // RFC 9700 §4.8.2: otherwise an attacker could strip the challenge from the authorization request.
    if (verifier !== undefined) {
      throw new OAuthError(
        'invalid_request',
        'The request has a code_verifier, but the authorization request had no code_challenge.',
        { rule: 'verifier_unexpected' },
      );
    }
    return;
  }
  if (verifier === undefined) {
    throw new OAuthError(
      'invalid_request',
      'The parameter code_verifier is missing; the authorization request had a code_challenge.',
      { rule: 'verifier_missing', parameter: 'code_verifier' },
    );
  }
  if (!verifierMatches(verifier, challenge)) {
    throw new OAuthError(
      'invalid_grant',
      'The code_verifier does not match the code_challenge.',
      mismatchOf(verifier, challenge),
    );
  }
}

// The refresh token of a single sign-in is sent to nobody, so the sign-in ends with its access token.
function newFamily(code: AuthorizationCode, refreshToken: MintedToken, now: Timestamp): NewTokenFamily {
  const lifetime = code.duration === 'once' ? ACCESS_TOKEN_LIFETIME : FAMILY_LIFETIME;
  const expiresAt = Math.min(now + lifetime, code.grantEndsAt ?? Infinity);
  return {
    key: refreshToken.key,
    clientId: code.clientId,
    userId: code.userId,
    scopes: code.scopes,
    authenticatedAt: code.authenticatedAt,
    refreshDigest: refreshToken.digest,
    refreshExpiresAt: Math.min(now + REFRESH_TOKEN_LIFETIME, expiresAt),
    issuedAt: now,
    expiresAt,
    program: code.program,
    network: code.network,
  };
}

function alreadyUsed(): OAuthError {
  return new OAuthError('invalid_grant', 'The authorization code was already used.', { rule: 'code_used' });
}
