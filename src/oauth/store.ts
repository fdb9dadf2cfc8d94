// The storage port of src/oauth: the reads and writes of all its tables, and the records of codes and
// sign-ins. Each write is one atomic, durable step. Outcomes are return values, not exceptions.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import type { SecurityEventWrites } from '../audit/security-event.ts';
import type { AccountStatus, User } from '../identity/user.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { AbandonedGrantReads, AbandonedGrantWrites, GrantKey } from './abandoned-grant-store.ts';
import type { AccessDiaryReads, AccessDiaryWrites } from './access-diary-store.ts';
import type { ClientLooksReads, ClientLooksWrites } from './client-looks-store.ts';
import type { ClientReportReads, ClientReportWrites } from './client-report-store.ts';
import type { ClientReviewReads, ClientReviewWrites } from './client-review-store.ts';
import type { Client, EveryClientRead, EveryClientWrite } from './client-store.ts';
import type { EventReads, EventWrites } from './event-store.ts';
import type { ExposedCredentialReads, ExposedCredentialWrites } from './exposed-credential-store.ts';
import type { ConnectedClient, Grant, GrantDuration, GrantState } from './grant-record.ts';
import type {
  PersonalTokenChanges,
  PersonalTokenReads,
  PersonalTokenWrites,
  TokenNoticeReads,
  TokenNoticeWrites,
} from './personal-token-store.ts';
import type { RequestInspectorReads, RequestInspectorWrites } from './request-inspector-store.ts';
import type { ScopeSet } from './scope.ts';
import type { SigningKeyReads, SigningKeyWrites } from './signing-key-store.ts';

export type { ConnectedClient, Grant, GrantDuration, GrantState } from './grant-record.ts';

/** The browser in which a member signs in to an application. */
export interface SignInOrigin {
  /** Its short name, such as "Firefox on Linux". Undefined if it sent none. */
  program: string | undefined;
  /** As members see networks. */
  network: string | undefined;
}

export interface NewAuthorizationCode extends SignInOrigin {
  key: string;
  digest: string;
  clientId: string;
  userId: number;
  redirectUri: string;
  scopes: ScopeSet;
  codeChallenge: string | undefined;
  nonce: string | undefined;
  /** When the member last proved their identity (`auth_time`). */
  authenticatedAt: Timestamp;
  expiresAt: Timestamp;
  /** How long the member allows the access. */
  duration: GrantDuration;
  /** No token that comes from the code is valid longer. */
  grantEndsAt: Timestamp | undefined;
}

/** A redeemed code has lost its redirect URI, challenge, nonce and browser, which only its redemption needs. */
export interface AuthorizationCode extends NewAuthorizationCode {
  redeemedAt: Timestamp | undefined;
  pausedAt: Timestamp | undefined;
  /** When consent was withdrawn, if that was before the code was redeemed. */
  voidedAt: Timestamp | undefined;
  accountStatus: AccountStatus;
}

/**
 * One sign-in: the record behind a chain of refresh tokens and the access tokens that are issued with them.
 */
export interface NewTokenFamily extends SignInOrigin {
  key: string;
  clientId: string;
  userId: number;
  scopes: ScopeSet;
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
  pausedAt: Timestamp | undefined;
  accountStatus: AccountStatus;
}

/** A sign-in as its member sees it. */
export type SignIn = Pick<TokenFamily, 'key' | 'scopes' | 'issuedAt' | 'rotatedAt' | 'expiresAt'> &
  SignInOrigin;

/** A rotation of the refresh token, prepared from a family that may have changed since it was read. */
export interface Rotation {
  familyKey: string;
  /** The digest of the presented token: the rotation happens only while that is the newest. */
  presentedDigest: string;
  nextDigest: string;
  refreshExpiresAt: Timestamp;
  at: Timestamp;
  /**
   * The presented token has only lost a race if another request rotated it at this moment or later.
   * Undefined: no race is forgiven.
   */
  raceSince: Timestamp | undefined;
  /** The network address of the request. */
  address?: string | undefined;
  /** The member, who is told of a reuse, and the application. */
  owner?: GrantKey;
}

/** The second use of an authorization code. */
export interface CodeReplay {
  code: Pick<AuthorizationCode, 'key' | 'userId' | 'clientId'>;
  address: string | undefined;
  at: Timestamp;
}

export interface NewAccessToken {
  key: string;
  digest: string;
  familyKey: string;
  scopes: ScopeSet;
  expiresAt: Timestamp;
}

/**
 * An access token with everything that decides whether it is valid, read in one step. It has no scope that its
 * sign-in has lost, and expires with its sign-in at the latest.
 */
export interface AccessToken extends NewAccessToken {
  clientId: string;
  /** The member on whose behalf it reads. */
  user: User;
  revokedAt: Timestamp | undefined;
  familyRevokedAt: Timestamp | undefined;
  familyPausedAt: Timestamp | undefined;
  clientStatus: Client['status'];
  /** Of an application that describes itself. */
  clientDocument: Client['documentUrl'];
}

/** A member who signs in to an application. */
export interface SigningIn extends MemberDoer {
  /** The key of the session in the browser. Undefined without a browser, as in tests. */
  sessionKey?: string | undefined;
}

export interface GrantReads {
  /** Report whether a session is open: nobody has signed out or ended it. */
  isSessionOpen(key: string): Promise<boolean>;
  /** How many members allow an application now, counted up to `most`. Paused consents count too. */
  countGrants(clientId: string, now: Timestamp, most?: number): Promise<number>;
  /** The consent: in force, paused, or withdrawn. Undefined if there never was one. */
  findGrant(userId: number, clientId: string, now: Timestamp): Promise<Grant | undefined>;
  /** The applications that the member allows now or has paused, last used first. */
  connectedClients(userId: number, now: Timestamp): Promise<ConnectedClient[]>;
}

export interface GrantWrites {
  /**
   * Records what the member allows now, for as long as the code says, and adds the code. A paused consent is
   * resumed. Earlier codes and sign-ins lose the scopes that are no longer allowed, and end with the consent at
   * the latest. False, and nothing recorded, if the consent is not `inForce` any more, or the session has ended: the
   * caller reads again. `allowedAs`: the name that the member saw, without one the application's name now.
   * If it is `isNoted`, a sign-in without a new consent is a security event.
   */
  approve(
    by: SigningIn,
    inForce: GrantState | undefined,
    scopes: ScopeSet,
    code: NewAuthorizationCode,
    options?: { allowedAs?: string; isNoted?: boolean },
  ): Promise<boolean>;
  /**
   * Adds a code, which is a security event if it is `isNoted`. False, and nothing added, if the consent was withdrawn,
   * paused, or got other scopes or another end than `inForce`, or if the session has ended.
   */
  approveAgain(
    by: SigningIn,
    inForce: Pick<Grant, 'scopes' | 'endsAt'>,
    code: NewAuthorizationCode,
    options?: { isNoted: boolean },
  ): Promise<boolean>;
  /**
   * Leaves these scopes of the consent, and takes the others from unredeemed codes and from sign-ins, with their
   * access tokens. Codes and sign-ins without any scope end. False if the consent has not the scopes `from`.
   */
  narrowGrant(by: Doer, userId: number, clientId: string, from: ScopeSet, scopes: ScopeSet): Promise<boolean>;
  /** Suspends the consent with its unredeemed codes and its sign-ins. False if none is in force. */
  pauseGrant(by: Doer, userId: number, clientId: string): Promise<boolean>;
  /** Makes the codes and sign-ins of a paused consent usable again. False if it is not paused. */
  resumeGrant(by: Doer, userId: number, clientId: string): Promise<boolean>;
  /**
   * Withdraws consent, voids unredeemed codes and revokes the member's token families for the application.
   * False if there is no consent.
   */
  withdrawGrant(by: Doer, userId: number, clientId: string): Promise<boolean>;
}

export interface AuthorizationCodeReads {
  findAuthorizationCode(key: string): Promise<AuthorizationCode | undefined>;
}

export interface AuthorizationCodeWrites {
  /**
   * Redeems a code, and stores the family and the access token with it. At most one call for a code returns
   * 'redeemed'. A later call does the same as `revokeAfterReplay`. 'changed', and nothing stored, if the code was
   * voided or paused, or got other scopes or another end than the caller read: the caller reads again.
   */
  redeem(
    code: AuthorizationCode,
    family: NewTokenFamily,
    accessToken: NewAccessToken,
    at: Timestamp,
    address?: string,
  ): Promise<'redeemed' | 'refused' | 'changed'>;
  /**
   * Revokes every token family and voids every unredeemed code of a member for an application. No code that
   * is redeemed at the same time yields valid tokens.
   */
  revokeAfterReplay(replay: CodeReplay): Promise<void>;
}

export interface TokenFamilyReads {
  /** A member's live sign-ins at an application, newest first. */
  signInsOf(userId: number, clientId: string, now: Timestamp, most: number): Promise<SignIn[]>;
  findTokenFamily(key: string): Promise<TokenFamily | undefined>;
}

export interface TokenFamilyWrites {
  /**
   * Replaces the newest refresh token and stores the access token. Of all calls with a token, one returns
   * 'rotated'. The others revoke the family, unless it is the previous token, rotated since `raceSince`.
   */
  rotate(rotation: Rotation, accessToken: NewAccessToken): Promise<'rotated' | 'refused'>;
  /** Revokes one sign-in with all its tokens, for an application. Doing so again changes nothing. */
  revokeFamily(key: string, at: Timestamp): Promise<void>;
  /** Revokes a member's own sign-in. False if they have no such live sign-in. */
  revokeOwnFamily(by: MemberDoer, key: string): Promise<boolean>;
  /** As `revokeFamily`, for an operator: the audit log records it. */
  revokeFamilyBy(by: Doer, key: string): Promise<void>;
  /** As `revokeFamily`, because an old refresh token was used. */
  revokeStolenFamily(key: string, reuse: Pick<Rotation, 'at' | 'address' | 'owner'>): Promise<void>;
}

export interface AccessTokenReads {
  findAccessToken(key: string): Awaitable<AccessToken | undefined>;
}

export interface AccessTokenWrites {
  /** Revokes an access token alone, for an application. Doing so again changes nothing. */
  revokeAccessToken(key: string, at: Timestamp): Promise<void>;
  /** As `revokeAccessToken`, for an operator: the audit log records it. */
  revokeAccessTokenBy(by: Doer, key: string): Promise<void>;
}

export interface OAuthReads
  extends EveryClientRead,
    ClientLooksReads,
    ClientReportReads,
    ClientReviewReads,
    GrantReads,
    AbandonedGrantReads,
    AuthorizationCodeReads,
    TokenFamilyReads,
    AccessTokenReads,
    PersonalTokenReads,
    TokenNoticeReads,
    ExposedCredentialReads,
    SigningKeyReads,
    AccessDiaryReads,
    EventReads,
    RequestInspectorReads {}

export interface OAuthWrites
  extends EveryClientWrite,
    ClientLooksWrites,
    ClientReportWrites,
    ClientReviewWrites,
    GrantWrites,
    AbandonedGrantWrites,
    AuthorizationCodeWrites,
    TokenFamilyWrites,
    AccessTokenWrites,
    PersonalTokenWrites,
    PersonalTokenChanges,
    TokenNoticeWrites,
    ExposedCredentialWrites,
    SigningKeyWrites,
    AccessDiaryWrites,
    EventWrites,
    RequestInspectorWrites,
    SecurityEventWrites {}

export interface OAuthStore extends OAuthReads, OAuthWrites {}
