// The port for changed usernames. Each method is one atomic, durable step.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { User } from './user.ts';

/** A username that a member had before. */
export interface EarlierUsername {
  username: string;
  /** False for a username in another community, which someone else may have here. */
  isReserved: boolean;
  renamedAt: Timestamp;
}

/** The new username of a member, and the language of the notice. */
export interface Renaming {
  username: string;
  usernameKey: string;
  /** The key of the username until now. */
  earlierKey: string;
  language: string;
}

export interface UsernameReads {
  /** The member's earlier usernames, the latest first. */
  earlierUsernames(userId: number): Promise<EarlierUsername[]>;
  /** The username that the member last knew, if the member was renamed and wasn't told since. */
  untoldUsername(userId: number): Promise<string | undefined>;
}

export interface UsernameWrites {
  /**
   * Renames a member, reserves the username until now for the member, and mails a notice. False if the username
   * belongs to another member or is reserved for one, or if the account was closed or renamed meanwhile.
   */
  renameUser(by: Doer, user: Pick<User, 'id' | 'username' | 'email'>, renaming: Renaming): Promise<boolean>;
  /** Remembers that the member was told of the username. Of parallel calls only one returns true. */
  markRenameTold(userId: number, at: Timestamp): Promise<boolean>;
}
