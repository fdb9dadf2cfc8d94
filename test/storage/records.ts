// Records for the tests of storage: well formed, each with keys of its own; a test names only what it is about.

import type { SessionStart } from '../../src/audit/security-event.ts';
import type { NewPost } from '../../src/community/post-store.ts';
import type { NewSession, NewUser } from '../../src/identity/store.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../src/lib/secrets.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import type { NewPersonalToken } from '../../src/oauth/personal-token-store.ts';
import type {
  AuthorizationCode,
  NewAccessToken,
  NewAuthorizationCode,
  NewTokenFamily,
} from '../../src/oauth/store.ts';

/** How the sessions of these tests start. */
export const SESSION_START: SessionStart = { method: 'password', address: '192.0.2.7' };

export const NOON: Timestamp = Date.UTC(2030, 0, 1, 12);

export function newUser(username: string, more: Partial<NewUser> = {}): NewUser {
  return {
    username,
    usernameKey: username,
    email: undefined,
    emailKey: undefined,
    passwordHash: `hash of ${username}'s password`,
    bio: '',
    isOperator: false,
    createdAt: NOON,
    ...more,
  };
}

export function newClient(id: 'notebook' | 'pocket' | 'atlas', more: Partial<Client> = {}): Client {
  const kind = id === 'pocket' ? 'public' : 'confidential';
  return {
    id,
    name: `The ${id}`,
    kind,
    secretDigest: kind === 'confidential' ? digestOf(`secret of ${id}`) : undefined,
    ownerId: undefined,
    scopes: ['profile:read', 'posts:read'],
    idTokenAlg: 'RS256',
    redirectUris: [`https://${id}.example/callback`],
    postLogoutRedirectUris: [],
    acceptsMissingStateAndNonce: false,
    status: 'active',
    createdAt: NOON,
    ...more,
  };
}

export function newCode(
  userId: number,
  clientId: string,
  more: Partial<NewAuthorizationCode> = {},
): NewAuthorizationCode {
  const key = timeOrderedKey(NOON);
  return {
    key,
    digest: digestOf(key),
    clientId,
    userId,
    redirectUri: `https://${clientId}.example/callback`,
    scopes: ['profile:read', 'posts:read'],
    codeChallenge: undefined,
    nonce: undefined,
    authenticatedAt: NOON,
    expiresAt: NOON + 5 * MINUTE,
    ...more,
  };
}

/** A code as it is read before it is redeemed. */
export function asRead(code: NewAuthorizationCode): AuthorizationCode {
  return { ...code, redeemedAt: undefined, voidedAt: undefined, accountStatus: 'active' };
}

export function newFamily(
  userId: number,
  clientId: string,
  more: Partial<NewTokenFamily> = {},
): NewTokenFamily {
  const key = timeOrderedKey(NOON);
  return {
    key,
    clientId,
    userId,
    scopes: ['profile:read', 'posts:read'],
    nonce: undefined,
    authenticatedAt: NOON,
    refreshDigest: digestOf(`${key} generation 0`),
    refreshExpiresAt: NOON + 30 * DAY,
    issuedAt: NOON,
    expiresAt: NOON + 365 * DAY,
    ...more,
  };
}

export function newAccessToken(familyKey: string, more: Partial<NewAccessToken> = {}): NewAccessToken {
  const key = timeOrderedKey(NOON);
  return {
    key,
    digest: digestOf(key),
    familyKey,
    scopes: ['profile:read', 'posts:read'],
    expiresAt: NOON + HOUR,
    ...more,
  };
}

export function newPersonalToken(userId: number, more: Partial<NewPersonalToken> = {}): NewPersonalToken {
  const key = timeOrderedKey(NOON);
  return {
    key,
    digest: digestOf(key),
    ending: 'abc123',
    userId,
    name: 'laptop',
    scopes: ['posts:read'],
    expiresAt: NOON + 90 * DAY,
    ...more,
  };
}

export function newSession(userId: number, more: Partial<NewSession> = {}): NewSession {
  const key = timeOrderedKey(NOON);
  return {
    key,
    digest: digestOf(key),
    userId,
    authenticatedAt: NOON,
    lastSeenAt: NOON,
    expiresAt: NOON + 90 * DAY,
    ...more,
  };
}

/** A post of the category that every database begins with. */
export function newPost(userId: number, more: Partial<NewPost> = {}): NewPost {
  return {
    userId,
    title: 'On arches',
    body: 'An arch *never* sleeps.',
    excerpt: 'An arch never sleeps.',
    words: 'on arches an arch never sleeps',
    categoryId: 1,
    status: 'published',
    xp: 10,
    ...more,
  };
}
