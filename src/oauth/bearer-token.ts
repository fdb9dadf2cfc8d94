// Who calls the resource API (RFC 6750, spec §5.1, §3.4): judged anew on every request.

import type { User } from '../identity/user.ts';
import { type Awaitable, andThen } from '../lib/awaitable.ts';
import { MINUTE, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';
import { formatScope, type Scope, type ScopeSet } from './scope.ts';
import type { AccessToken, PersonalToken } from './store.ts';
import { isGenuine, type PresentedToken, readToken } from './token.ts';

/** The caller of the API: on whose behalf, and what may be read. Every reading function demands one. */
export interface Principal {
  /** The member's account, as it was when the token was judged. */
  user: User;
  scopes: ScopeSet;
  /** Names the token without revealing it: requests are counted by it. */
  tokenKey: string;
  judgedAt: Timestamp;
}

// "Last used" is told to the minute, which spares a write on each request.
const TOUCH_INTERVAL = 1 * MINUTE;

/**
 * Reads the Authorization header (RFC 6750 §2.1). Undefined if no bearer token was sent at all; `invalid_token` if
 * what was sent can't be one.
 */
export function readBearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (ONE_TOKEN.test(header)) return header.slice(SCHEME.length).trim();
  if (!/^bearer(\s|$)/i.test(header)) return undefined;
  throw new OAuthError('invalid_token', 'The Authorization header holds no single token.');
}

const SCHEME = 'Bearer';
const ONE_TOKEN = /^bearer +[A-Za-z0-9._~+/-]+=* *$/i;

/** Tells whom the token speaks for, or throws `invalid_token`: unknown, expired, revoked, or the account unusable. */
export function authenticateBearer(server: AuthorizationServer, text: string): Awaitable<Principal> {
  const { reads } = server;
  const token = readToken(text, server.brand);
  if (token?.kind === 'access') {
    return andThen(reads.findAccessToken(token.key), (found) => judgeAccessToken(server, token, found));
  }
  if (token?.kind === 'personal') {
    return andThen(reads.findPersonalToken(token.key), (found) => judgePersonalToken(server, token, found));
  }
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

function judgeAccessToken(
  server: AuthorizationServer,
  token: PresentedToken,
  found: AccessToken | undefined,
): Principal {
  if (found === undefined || !isGenuine(token, found.digest)) throw unknown();
  const now = server.clock();
  checkAccessToken(found, now);
  return { user: found.user, scopes: found.scopes, tokenKey: found.key, judgedAt: now };
}

function checkAccessToken(token: AccessToken, now: Timestamp): void {
  if (token.revokedAt !== undefined || token.familyRevokedAt !== undefined) throw revoked();
  if (token.expiresAt <= now) throw expired();
  if (token.clientStatus !== 'active')
    throw new OAuthError('invalid_token', 'The application is deactivated.');
  checkAccount(token.user);
}

function judgePersonalToken(
  server: AuthorizationServer,
  token: PresentedToken,
  found: PersonalToken | undefined,
): Principal {
  if (found === undefined || !isGenuine(token, found.digest)) throw unknown();
  const now = server.clock();
  if (found.revokedAt !== undefined) throw revoked();
  if (found.expiresAt !== undefined && found.expiresAt <= now) throw expired();
  checkAccount(found.user);
  touch(server, found, now);
  return { user: found.user, scopes: found.scopes, tokenKey: found.key, judgedAt: now };
}

// Not waited for, and let go if it fails: reading must go on when the database can't be written.
function touch(server: AuthorizationServer, token: PersonalToken, now: Timestamp): void {
  if (token.lastUsedAt !== undefined && now - token.lastUsedAt < TOUCH_INTERVAL) return;
  server.writes.touchPersonalToken(token.id, now).catch(() => {});
}

function checkAccount({ status }: User): void {
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
