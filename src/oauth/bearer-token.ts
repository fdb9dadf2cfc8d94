// Who calls the resource API (RFC 6750, spec §5.1, §3.4): judged anew on every request.

import type { AccountStatus } from '../identity/user.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';
import { formatScope, type Scope, type ScopeSet } from './scope.ts';
import type { AccessToken, PersonalToken } from './store.ts';
import { isGenuine, type PresentedToken, readToken } from './token.ts';

/** The caller of the API: on whose behalf, and what may be read. Every reading function demands one. */
export interface Principal {
  userId: number;
  scopes: ScopeSet;
  /** Names the token without revealing it: requests are counted by it. */
  tokenKey: string;
}

// "Last used" is told to the minute, which spares a write on each request.
const TOUCH_INTERVAL = 1 * MINUTE;

/**
 * Reads the Authorization header (RFC 6750 §2.1). Undefined if no bearer token was sent at all; `invalid_token` if
 * what was sent can't be one.
 */
export function readBearerToken(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) return undefined;
  const text = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
  if (text === undefined)
    throw new OAuthError('invalid_token', 'The Authorization header holds no single token.');
  return text;
}

/** Tells whom the token speaks for, or throws `invalid_token`: unknown, expired, revoked, or the account unusable. */
export async function authenticateBearer(server: AuthorizationServer, text: string): Promise<Principal> {
  const token = readToken(text, server.brand);
  if (token?.kind === 'access') return authenticateAccessToken(server, token);
  if (token?.kind === 'personal') return authenticatePersonalToken(server, token);
  throw new OAuthError(
    'invalid_token',
    'The token is not an access token of this service, or it was cut short.',
  );
}

/** Throws `insufficient_scope` unless the token holds the scope. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  const held = principal.scopes.length === 0 ? 'none' : formatScope(principal.scopes);
  throw new OAuthError('insufficient_scope', `The token lacks the scope ${scope}; it holds ${held}.`);
}

async function authenticateAccessToken(
  server: AuthorizationServer,
  token: PresentedToken,
): Promise<Principal> {
  const found = await server.store.findAccessToken(token.key);
  if (found === undefined || !isGenuine(token, found.digest)) throw unknown();
  checkAccessToken(found, server.clock());
  return { userId: found.userId, scopes: found.scopes, tokenKey: found.key };
}

function checkAccessToken(token: AccessToken, now: Timestamp): void {
  if (token.revokedAt !== undefined || token.familyRevokedAt !== undefined) throw revoked();
  if (token.expiresAt <= now) throw expired();
  if (token.clientStatus !== 'active')
    throw new OAuthError('invalid_token', 'The application is deactivated.');
  checkAccount(token.accountStatus);
}

async function authenticatePersonalToken(
  server: AuthorizationServer,
  token: PresentedToken,
): Promise<Principal> {
  const found = await server.store.findPersonalToken(token.key);
  if (found === undefined || !isGenuine(token, found.digest)) throw unknown();
  const now = server.clock();
  if (found.revokedAt !== undefined) throw revoked();
  if (found.expiresAt !== undefined && found.expiresAt <= now) throw expired();
  checkAccount(found.accountStatus);
  touch(server, found, now);
  return { userId: found.userId, scopes: found.scopes, tokenKey: found.key };
}

// Not waited for, and let go if it fails: reading must go on when the database can't be written.
function touch(server: AuthorizationServer, token: PersonalToken, now: Timestamp): void {
  if (token.lastUsedAt !== undefined && now - token.lastUsedAt < TOUCH_INTERVAL) return;
  server.store.touchPersonalToken(token.id, now).catch(() => {});
}

function checkAccount(status: AccountStatus): void {
  if (status !== 'active') throw new OAuthError('invalid_token', 'The account can not be used.');
}

function unknown(): OAuthError {
  return new OAuthError('invalid_token', 'The token is not known.');
}

function revoked(): OAuthError {
  return new OAuthError('invalid_token', 'The token was revoked.');
}

function expired(): OAuthError {
  return new OAuthError('invalid_token', 'The token has expired.');
}
