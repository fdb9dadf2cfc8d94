// The caller of the resource API (RFC 6750, spec §5.1, §3.4). The token is checked again on every request.

import type { User } from '../identity/user.ts';
import { type Awaitable, andThen } from '../lib/awaitable.ts';
import { isoOf, MINUTE, type Timestamp } from '../lib/clock.ts';
import { comesFrom, networkToShow } from '../lib/network.ts';
import { programName } from '../lib/program-name.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';
import type { PersonalToken } from './personal-token-store.ts';
import type { BrokenRule } from './request-rules.ts';
import { formatScope, type Scope, type ScopeSet } from './scope.ts';
import type { AccessToken } from './store.ts';
import { isGenuine, type PresentedToken, readToken } from './token.ts';

/** The caller of the API: the member on whose behalf it reads, and what it may read. */
export interface Principal {
  /** The member's account, as it was when the token was checked. */
  user: User;
  scopes: ScopeSet;
  /** Names the token without revealing it. The rate limit counts by it. */
  tokenKey: string;
  /** The application. Empty for an API token. */
  clientId: string;
  /** The key of the sign-in (`TokenFamily`), or the id of the API token. */
  source: string;
  /** Of the token. */
  digest: string;
  checkedAt: Timestamp;
  /** When an API token expires. */
  expiresAt?: Timestamp | undefined;
}

/** The facts of a request that carries a token. */
export interface BearerRequest {
  /** The caller's network address; for IPv6 the /64 network. */
  address: string;
  userAgent: string | undefined;
  /** The path, without a query. */
  endpoint: string;
}

/** An API token is used from an address that it isn't allowed for. Callers get the words for an unknown token. */
export class AddressNotAllowed extends OAuthError {
  readonly userId: number;
  readonly tokenId: number;

  constructor({ userId, id }: PersonalToken) {
    super('invalid_token', UNKNOWN);
    this.userId = userId;
    this.tokenId = id;
  }
}

/** An access token of an application that is not accepted any more. */
export class TokenRefused extends OAuthError {
  readonly clientId: string;
  /** Of the token. */
  readonly digest: string;

  constructor({ clientId, digest }: AccessToken, description: string, broken: BrokenRule) {
    super('invalid_token', description, broken);
    this.clientId = clientId;
    this.digest = digest;
  }
}

const UNKNOWN = 'The token is not known.';
const REVOKED = 'The token was revoked.';
const EXPIRED = 'The token has expired.';

const NOT_A_TOKEN = {
  refresh:
    'This is a refresh token. The API takes the access token; send this one to the token endpoint only.',
  code: 'This is an authorization code. Exchange it at the token endpoint for an access token.',
  clientSecret: 'This is the secret of an application. The API takes an access token of a member.',
  unknown: 'The token is not an access token of this service, or it was cut short.',
};

const RULE_OF_KIND = {
  refresh: 'refresh_token_as_access_token',
  code: 'code_as_access_token',
  clientSecret: 'secret_as_access_token',
} as const;

const NOWHERE: BearerRequest = { address: '', userAgent: undefined, endpoint: '' };

// "Last used" is exact to the minute, which saves a write on each request.
const TOUCH_INTERVAL = 1 * MINUTE;

/**
 * Read the Authorization header (RFC 6750 §2.1). Undefined if it contains no bearer token. Throws
 * `invalid_token` if the token is malformed.
 */
export function readBearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (ONE_TOKEN.test(header)) return header.slice(SCHEME.length).trim();
  if (!/^bearer(\s|$)/i.test(header)) return undefined;
  throw new OAuthError('invalid_token', 'The Authorization header does not contain exactly one token.');
}

const SCHEME = 'Bearer';
const ONE_TOKEN = /^bearer +[A-Za-z0-9._~+/-]+=* *$/i;

/**
 * Identify the caller. Throws `invalid_token` if the token is unknown, expired or revoked, if the application or the
 * account is not active, or if an API token isn't allowed for the caller's address. `request` is called only when its
 * facts are needed.
 */
export function authenticateBearer(
  server: AuthorizationServer,
  text: string,
  request: () => BearerRequest = () => NOWHERE,
): Awaitable<Principal> {
  const { reads } = server;
  const token = readToken(text, server.brand);
  if (token?.kind === 'access') {
    return andThen(reads.findAccessToken(token.key), (record) => checkedAccess(server, token, record));
  }
  if (token?.kind === 'personal') {
    return andThen(reads.findPersonalToken(token.key), (record) =>
      checkedPersonal(server, token, record, request),
    );
  }
  const kind = token?.kind ?? 'unknown';
  const broken: BrokenRule | undefined = kind === 'unknown' ? undefined : { rule: RULE_OF_KIND[kind] };
  throw new OAuthError('invalid_token', NOT_A_TOKEN[kind], broken);
}

/** Throw `insufficient_scope` unless the token has the scope. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  const scopes = principal.scopes.length === 0 ? 'none' : formatScope(principal.scopes);
  throw new OAuthError('insufficient_scope', `The token lacks the scope ${scope}; it has ${scopes}.`, {
    rule: 'scope_lacking',
    came: scopes,
    expected: [scope],
  });
}

function checkedAccess(
  server: AuthorizationServer,
  token: PresentedToken,
  record: AccessToken | undefined,
): Awaitable<Principal> {
  if (record === undefined || !isGenuine(token, record.digest)) throw unknown();
  const now = server.clock();
  checkAccessToken(record, now);
  const { user, scopes, key: tokenKey, clientId, familyKey: source, digest } = record;
  const principal = { user, scopes, tokenKey, clientId, source, digest, checkedAt: now };
  if (record.clientDocument === undefined) return principal;
  return andThen(server.documentPolicy(), (policy) => {
    if (policy === 'off') throw deactivated(record);
    return principal;
  });
}

function checkAccessToken(token: AccessToken, now: Timestamp): void {
  const isRevoked = token.revokedAt !== undefined || token.familyRevokedAt !== undefined;
  // A token that is paused gets the same words: what the member does is not the application's business.
  if (isRevoked || token.familyPausedAt !== undefined || !isUsable(token.user)) {
    throw new TokenRefused(token, REVOKED, { rule: 'access_token_revoked' });
  }
  if (token.expiresAt <= now) {
    throw new TokenRefused(token, EXPIRED, {
      rule: 'access_token_expired',
      came: isoOf(now),
      expected: [`< ${isoOf(token.expiresAt)}`],
    });
  }
  if (token.clientStatus !== 'active') {
    throw deactivated(token);
  }
}

function deactivated(token: AccessToken): TokenRefused {
  return new TokenRefused(token, 'The application is deactivated.', { rule: 'application_deactivated' });
}

function checkedPersonal(
  server: AuthorizationServer,
  token: PresentedToken,
  record: PersonalToken | undefined,
  request: () => BearerRequest,
): Principal {
  if (record === undefined || !isGenuine(token, record.digest)) throw unknown();
  // First, so that a thief elsewhere learns nothing about the token.
  if (record.addresses.length > 0 && !comesFrom(record.addresses, request().address)) {
    throw new AddressNotAllowed(record);
  }
  const now = server.clock();
  if (record.revokedAt !== undefined || !isUsable(record.user)) throw revoked();
  if (record.expiresAt !== undefined && record.expiresAt <= now) throw expired();
  touch(server, record, now, request);
  const { user, scopes, key: tokenKey, digest, expiresAt } = record;
  return {
    user,
    scopes,
    tokenKey,
    clientId: '',
    source: String(record.id),
    digest,
    checkedAt: now,
    expiresAt,
  };
}

// The caller doesn't wait for this write, and its failure is ignored: the API must keep answering even when
// the database can't be written.
function touch(
  server: AuthorizationServer,
  token: PersonalToken,
  now: Timestamp,
  request: () => BearerRequest,
): void {
  if (token.lastUsedAt !== undefined && now - token.lastUsedAt < TOUCH_INTERVAL) return;
  const { address, userAgent, endpoint } = request();
  const use = { network: networkToShow(address), program: programName(userAgent), endpoint };
  server.writes.touchPersonalToken(token.id, now, use).catch(() => {});
}

// A token of an unusable account gets the words of a revoked one: account status can't be read (spec §2.2).
function isUsable({ status }: User): boolean {
  return status === 'active';
}

function unknown(): OAuthError {
  return new OAuthError('invalid_token', UNKNOWN);
}

function revoked(): OAuthError {
  return new OAuthError('invalid_token', REVOKED);
}

function expired(): OAuthError {
  return new OAuthError('invalid_token', EXPIRED);
}
