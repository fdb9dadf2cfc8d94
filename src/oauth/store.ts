// The hatch of this room: what the protocol asks of storage. Verbs with outcomes; each is one atomic, durable step.

import type { Act } from '../identity/act.ts';
import type { AccountStatus, User } from '../identity/user.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Client } from './client.ts';
import type { ScopeSet } from './scope.ts';
import type { SigningAlgorithm, SigningKey } from './signing-key.ts';

/** What a member allowed an application: one record, however often it was asked. */
export interface Grant {
  userId: number;
  clientId: string;
  scopes: ScopeSet;
  grantedAt: Timestamp;
  lastAuthorizedAt: Timestamp;
  withdrawnAt: Timestamp | undefined;
}

export interface NewAuthorizationCode {
  key: string;
  digest: string;
  clientId: string;
  userId: number;
  redirectUri: string;
  scopes: ScopeSet;
  codeChallenge: string | undefined;
  nonce: string | undefined;
  /** When the member last proved who they are (`auth_time`). */
  authenticatedAt: Timestamp;
  expiresAt: Timestamp;
}

export interface AuthorizationCode extends NewAuthorizationCode {
  redeemedAt: Timestamp | undefined;
  /** Set when consent was withdrawn before the code was redeemed. */
  voidedAt: Timestamp | undefined;
  accountStatus: AccountStatus;
}

/** One sign-in: the record behind a chain of refresh tokens, and of the access tokens issued along it. */
export interface NewTokenFamily {
  key: string;
  clientId: string;
  userId: number;
  scopes: ScopeSet;
  nonce: string | undefined;
  authenticatedAt: Timestamp;
  /** The digest of the newest refresh token, the only one that can be rotated. */
  refreshDigest: string;
  refreshExpiresAt: Timestamp;
  issuedAt: Timestamp;
  /** The end of the sign-in as a whole. */
  expiresAt: Timestamp;
}

export interface TokenFamily extends NewTokenFamily {
  previousDigest: string | undefined;
  rotatedAt: Timestamp;
  revokedAt: Timestamp | undefined;
  accountStatus: AccountStatus;
}

export interface NewAccessToken {
  key: string;
  digest: string;
  familyKey: string;
  scopes: ScopeSet;
  expiresAt: Timestamp;
}

/** An access token with everything that decides whether it is honoured, read in one step. */
export interface AccessToken extends Omit<NewAccessToken, 'familyKey'> {
  clientId: string;
  /** The member it speaks for. */
  user: User;
  revokedAt: Timestamp | undefined;
  familyRevokedAt: Timestamp | undefined;
  clientStatus: Client['status'];
}

export interface NewPersonalToken {
  key: string;
  digest: string;
  /** The last characters, by which a member tells tokens apart. */
  ending: string;
  userId: number;
  name: string;
  scopes: ScopeSet;
  createdAt: Timestamp;
  /** Undefined: never. */
  expiresAt: Timestamp | undefined;
}

export interface PersonalToken extends NewPersonalToken {
  id: number;
  lastUsedAt: Timestamp | undefined;
  revokedAt: Timestamp | undefined;
  /** The member it speaks for. */
  user: User;
}

/** A rotation of the refresh token, decided on what was read; it happens only if that is still so. */
export interface Rotation {
  familyKey: string;
  /** The digest that was presented: the rotation happens only while it is the newest. */
  presentedDigest: string;
  nextDigest: string;
  refreshExpiresAt: Timestamp;
  at: Timestamp;
  /** A rotation since this moment makes the presented token the loser of a race; undefined: no race is forgiven. */
  raceSince: Timestamp | undefined;
}

/** An application that a member has allowed, as the member sees it. */
export interface ConnectedClient {
  client: Client;
  grant: Grant;
}

/** An application with the name of the member who runs it, if one does. */
export interface OwnedClient {
  client: Client;
  ownerName: string | undefined;
}

export interface OAuthReads {
  findClient(id: string): Promise<Client | undefined>;
  clientsOf(ownerId: number): Promise<Client[]>;
  /** Newest first. */
  allClients(): Promise<Client[]>;
  /** With identifiers smaller than `before`, which are older: newest first. */
  clientsBefore(before: string | undefined, limit: number): Promise<OwnedClient[]>;
  /** How many members allow the application now. */
  countGrants(clientId: string): Promise<number>;
  /** The consent in force or withdrawn, undefined if there never was one. */
  findGrant(userId: number, clientId: string): Promise<Grant | undefined>;
  connectedClients(userId: number): Promise<ConnectedClient[]>;
  findAuthorizationCode(key: string): Promise<AuthorizationCode | undefined>;
  findTokenFamily(key: string): Promise<TokenFamily | undefined>;
  findAccessToken(key: string): Awaitable<AccessToken | undefined>;
  findPersonalToken(key: string): Awaitable<PersonalToken | undefined>;
  /** The tokens that are not revoked, newest first. */
  personalTokensOf(userId: number): Promise<PersonalToken[]>;
  /** All keys that are kept, newest first. */
  signingKeys(): Promise<SigningKey[]>;
  activeSigningKey(alg: SigningAlgorithm): Promise<SigningKey | undefined>;
  /** Whether there ever were keys in this database. */
  hadSigningKeys(): Promise<boolean>;
}

export interface OAuthWrites {
  addClient(client: Client, act?: Act): Promise<void>;
  /** False if there is no such confidential client. */
  replaceClientSecret(clientId: string, secretDigest: string, act?: Act): Promise<boolean>;
  /** False if there is no such client. Setting the state it is in is no error. */
  setClientStatus(clientId: string, status: Client['status'], act?: Act): Promise<boolean>;
  /**
   * Records what the member allows now and the code that answers it, together. False, and nothing recorded, if what
   * is allowed already is no longer `held` (nothing at all: empty): the caller reads it anew.
   */
  approve(held: ScopeSet, scopes: ScopeSet, code: NewAuthorizationCode, at: Timestamp): Promise<boolean>;
  /** Adds a code under the consent in force. False, and nothing added, if it no longer covers the code's scopes. */
  approveAgain(code: NewAuthorizationCode, consented: ScopeSet, at: Timestamp): Promise<boolean>;
  /** Withdraws consent, voids unredeemed codes and revokes every token family of it, together. False if none. */
  withdrawGrant(userId: number, clientId: string, at: Timestamp, act?: Act): Promise<boolean>;
  /**
   * Redeems a code: of any number of calls for one code exactly one answers 'redeemed', and stores the family and the
   * access token with it. If the code was redeemed before, every token family of that member for that application is
   * revoked in the same step and the answer is 'refused'; so it is, without effect, if the code was voided.
   */
  redeem(
    code: AuthorizationCode,
    family: NewTokenFamily,
    accessToken: NewAccessToken,
    at: Timestamp,
  ): Promise<'redeemed' | 'refused'>;
  /** Revokes every token family of a member for an application. */
  revokeFamilies(userId: number, clientId: string, at: Timestamp): Promise<void>;
  /**
   * Replaces the newest refresh token and stores the access token with it. Of any number of calls with one presented
   * digest exactly one answers 'rotated'. The others answer 'refused', and revoke the family in the same step unless
   * the presented token was the newest until a rotation since `raceSince`.
   */
  rotate(rotation: Rotation, accessToken: NewAccessToken): Promise<'rotated' | 'refused'>;
  /** Revokes one sign-in with all its tokens. Revoking again changes nothing. */
  revokeFamily(key: string, at: Timestamp, act?: Act): Promise<void>;
  revokeAccessToken(key: string, at: Timestamp, act?: Act): Promise<void>;
  /** Undefined, and nothing stored, if the member holds `most` tokens that are neither revoked nor expired. */
  addPersonalToken(token: NewPersonalToken, most: number): Promise<number | undefined>;
  /** Revokes by number; of one member's if `userId` is given. False if there is no such live token. */
  revokePersonalToken(id: number, userId: number | undefined, at: Timestamp, act?: Act): Promise<boolean>;
  /** Remembers when a personal token was last used. */
  touchPersonalToken(id: number, at: Timestamp): Promise<void>;
  /** Adds the first keys. False, and none added, if there ever were any; of parallel calls exactly one is true. */
  addFirstSigningKeys(keys: readonly SigningKey[]): Promise<boolean>;
  /** Retires one key, lets the other sign and adds the one after it. False, and nothing done, if the first no longer signs. */
  rotateSigningKey(
    activeKid: string,
    nextKid: string,
    following: SigningKey,
    at: Timestamp,
    act?: Act,
  ): Promise<boolean>;
  deleteSigningKeysRetiredBefore(moment: Timestamp): Promise<void>;
}

export interface OAuthStore extends OAuthReads, OAuthWrites {}
