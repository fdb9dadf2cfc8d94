// The port for personal tokens.

import type { Doer } from '../audit/doer.ts';
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
  scopes: ScopeSet;
  /** Undefined: it never expires. */
  expiresAt: Timestamp | undefined;
}

export interface PersonalToken extends NewPersonalToken {
  id: number;
  createdAt: Timestamp;
  lastUsedAt: Timestamp | undefined;
  revokedAt: Timestamp | undefined;
  user: User;
}

export interface PersonalTokenReads {
  findPersonalToken(key: string): Awaitable<PersonalToken | undefined>;
  /** The tokens that are not revoked, newest first. */
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
  /** Records when a token was last used. */
  touchPersonalToken(id: number, at: Timestamp): Promise<void>;
}
