// The port for personal tokens.

import type { TokenNotice } from '../audit/credential-notice.ts';
import type { Doer, MemberDoer } from '../audit/doer.ts';
import type { User } from '../identity/user.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { ScopeSet } from './scope.ts';

export interface NewPersonalToken {
  key: string;
  digest: string;
  /** The last characters, by which a member tells tokens apart. */
  ending: string;
  /** The member on whose behalf the token reads. */
  userId: number;
  name: string;
  /** What the member wrote about it. Empty if nothing. */
  note: string;
  scopes: ScopeSet;
  /** The networks that it may be used from. Empty: it may be used from everywhere. */
  addresses: readonly string[];
  /** Undefined: it never expires. */
  expiresAt: Timestamp | undefined;
}

/** The facts of a use that its member sees. */
export interface TokenUse {
  /** The network that the request came from, such as 192.0.2.0/24. */
  network: string | undefined;
  /** The program that sent it, such as "curl 8.5". */
  program: string | undefined;
  /** The path that was asked for. */
  endpoint: string;
}

export interface PersonalToken extends NewPersonalToken {
  id: number;
  createdAt: Timestamp;
  lastUsedAt: Timestamp | undefined;
  /** Undefined if it was never used, or last used before uses had facts. */
  lastUse: TokenUse | undefined;
  revokedAt: Timestamp | undefined;
  /** When the member replaced it by another. It can still be valid for a while. */
  replacedAt: Timestamp | undefined;
  user: User;
}

export interface PersonalTokenReads {
  findPersonalToken(key: string): Awaitable<PersonalToken | undefined>;
  /** The tokens that are not revoked, newest first: all that work, and with expired ones at most 100. */
  personalTokensOf(userId: number): Promise<PersonalToken[]>;
}

export interface PersonalTokenWrites {
  /**
   * Undefined, and nothing stored, if the member has `most` tokens that are neither revoked nor expired, or if
   * the key is used. With a language, the member's address gets a notice.
   */
  addPersonalToken(
    by: Doer,
    token: NewPersonalToken,
    most: number,
    language?: string,
  ): Promise<number | undefined>;
  /** Revokes the token with this id. A member can revoke only their own. False if none was revoked. */
  revokePersonalToken(by: Doer, id: number): Promise<boolean>;
  /** As `revokePersonalToken`, because somebody found the token in public. */
  revokeReportedPersonalToken(by: Doer, id: number): Promise<boolean>;
  /** Records when a token was last used, and how. */
  touchPersonalToken(id: number, at: Timestamp, use: TokenUse): Promise<void>;
}

/** What a member can change about a token. */
export type ChangedToken = Pick<PersonalToken, 'name' | 'note' | 'scopes' | 'addresses' | 'expiresAt'>;

/** Whether a token can do more than before, only less, or has only another name or note; or another replaces it. */
export type TokenChangeNature = 'widened' | 'narrowed' | 'renamed' | 'replaced';

/** A token that replaces another, with all its other settings. */
export interface ReplacementToken extends Pick<NewPersonalToken, 'key' | 'digest' | 'ending' | 'expiresAt'> {
  /** When the replaced token ends at the latest. The present or earlier revokes it. */
  oldEndsAt: Timestamp;
  /** Of the notice that the member's address gets. */
  language: string;
}

export interface PersonalTokenChanges {
  /** False, and nothing changed, if the token is not live any more, or can do other things than `before`. */
  changePersonalToken(
    by: MemberDoer,
    before: PersonalToken,
    after: ChangedToken,
    nature: TokenChangeNature,
  ): Promise<boolean>;
  /**
   * Ends the token that this one has replaced. Of parallel calls only one returns true. False for a token that is
   * revoked, or was replaced before.
   */
  replacePersonalToken(by: MemberDoer, id: number, replacement: ReplacementToken): Promise<boolean>;
  /** Revokes all tokens of the member. False if there was none. */
  revokePersonalTokensOf(by: MemberDoer): Promise<boolean>;
}

/** A token whose end may be near. */
export interface WatchedToken
  extends Pick<PersonalToken, 'id' | 'userId' | 'name' | 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  /** The last notice. */
  told: TokenNotice | undefined;
  /** When it will be revoked if nobody uses it: set with the first notice about that. */
  idleUntil: Timestamp | undefined;
  lookAt: Timestamp;
}

/** What to tell the member now, and how to go on. `unused` revokes the token. */
export interface NoticeStep {
  tell?: TokenNotice;
  told: TokenNotice | undefined;
  idleUntil?: Timestamp;
  /** When to look at the token again. Undefined: never. */
  lookAt?: Timestamp;
}

export interface TokenNoticeReads {
  /** Tokens that are due, longest waiting first. */
  tokensToLookAt(now: Timestamp, most: number): Promise<WatchedToken[]>;
}

export interface TokenNoticeWrites {
  /**
   * Goes on with a token: the member gets a notification, and a mail if the account has an address, unless they had
   * the same notice of this token on the same day, when it had another end. False, and nothing changed, if another
   * process did so, or the token was used or changed meanwhile.
   */
  settleToken(token: WatchedToken, step: NoticeStep, at: Timestamp): Promise<boolean>;
}

export interface TokenNotices extends TokenNoticeReads, TokenNoticeWrites {}
