// Valid records for the tests of storage, each with its own keys. A test overrides only what it is about.

import type { SessionStart } from '../../src/audit/security-event.ts';
import type { NewPost, Publication } from '../../src/community/post-store.ts';
import { wordsOfPost } from '../../src/community/search.ts';
import type { MailToken, NewMail } from '../../src/identity/mail-store.ts';
import type { NewSession } from '../../src/identity/session-record.ts';
import type { NewUser } from '../../src/identity/store.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../../src/lib/clock.ts';
import { digestOf, timeOrderedKey } from '../../src/lib/secrets.ts';
import { NO_MANAGEMENT } from '../../src/oauth/client.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import type { NewPersonalToken } from '../../src/oauth/personal-token-store.ts';
import type { ScopeSet } from '../../src/oauth/scope.ts';
import type { SigningKey } from '../../src/oauth/signing-key-store.ts';
import type {
  AuthorizationCode,
  Grant,
  NewAccessToken,
  NewAuthorizationCode,
  NewTokenFamily,
} from '../../src/oauth/store.ts';
import type { Lifetimes } from '../../src/storage/purge/purge.ts';

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
    requiredScopes: [],
    scopeReasons: {},
    homePage: undefined,
    description: '',
    secretEnding: undefined,
    secretAddedAt: undefined,
    previousSecretDigest: undefined,
    previousSecretEnding: undefined,
    previousSecretUntil: undefined,
    ...NO_MANAGEMENT,
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
    duration: 'until_removed',
    grantEndsAt: undefined,
    program: 'Firefox on Linux',
    network: '192.0.2.0/24',
    ...more,
  };
}

/** A consent that is in force until it is removed. */
export function inForce(...scopes: ScopeSet): Pick<Grant, 'scopes' | 'duration' | 'endsAt' | 'pausedAt'> {
  return { scopes, duration: 'until_removed', endsAt: undefined, pausedAt: undefined };
}

/** Return a code as the stores return it before it is redeemed. */
export function asStored(code: NewAuthorizationCode): AuthorizationCode {
  return {
    ...code,
    redeemedAt: undefined,
    voidedAt: undefined,
    pausedAt: undefined,
    accountStatus: 'active',
  };
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
    authenticatedAt: NOON,
    refreshDigest: digestOf(`${key} generation 0`),
    refreshExpiresAt: NOON + 30 * DAY,
    issuedAt: NOON,
    expiresAt: NOON + 365 * DAY,
    program: 'Firefox on Linux',
    network: '192.0.2.0/24',
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
    note: '',
    addresses: [],
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

/** A signing key. The stores only look at its name, algorithm, state and times. */
export function newSigningKey(
  kid: string,
  state: SigningKey['state'],
  more: Partial<SigningKey> = {},
): SigningKey {
  return {
    kid,
    alg: 'RS256',
    state,
    publicJwk: { kty: 'RSA', n: `modulus of ${kid}`, e: 'AQAB' },
    privateJwk: { kty: 'RSA', n: `modulus of ${kid}`, e: 'AQAB', d: `secret of ${kid}` },
    createdAt: NOON,
    activatedAt: state === 'active' ? NOON : undefined,
    retiredAt: undefined,
    ...more,
  };
}

export function newMail(userId: number, more: Partial<NewMail> = {}): NewMail {
  return { purpose: 'confirm', userId, email: 'alice@x.example', language: 'en', createdAt: NOON, ...more };
}

/** The link of a mail, which is valid for an hour. */
export function newMailToken(userId: number, more: Partial<MailToken> = {}): MailToken {
  const key = timeOrderedKey(NOON);
  return {
    key,
    digest: digestOf(key),
    purpose: 'confirm',
    userId,
    email: 'alice@x.example',
    expiresAt: NOON + HOUR,
    ...more,
  };
}

/** Three mails an hour. */
/** The notice to an address that is replaced at noon. */
export const ADDRESS_NOTICE = { language: 'en', youngSince: NOON - 72 * HOUR, joinedSince: NOON - 24 * HOUR };

export function mailLimit() {
  return { subject: 'alice', most: 3, now: NOON, closesAt: NOON + HOUR };
}

/** A post in the category that every database begins with. */
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

/** What a post gets when it is published or restored: one of `newPost` whose text was not changed. */
export function publication(more: Partial<Publication> = {}): Publication {
  return { version: NOON, words: 'on arches an arch never sleeps', xp: 10, ...more };
}

export const AS_DRAFT = { status: 'draft', xp: 0 } as const;

/** A post's text as the stores get it, with the words that the search finds it by. */
export function textOf(title: string, body = 'Some words.') {
  return { title, body, excerpt: body, words: wordsOfPost(title, body), categoryId: 1 };
}

/** For the purge. */
export const LIFETIMES: Lifetimes = {
  accessToken: HOUR,
  family: 365 * DAY,
  sessionIdle: 14 * DAY,
  removedPost: 30 * DAY,
  unusedPicture: 7 * DAY,
  notification: 90 * DAY,
  clientNumbers: 31 * DAY,
  diary: 30 * DAY,
  requestLine: 30 * DAY,
  drawing: 30 * DAY,
  unusedDocument: 30 * DAY,
  securityEvent: 90 * DAY,
};
