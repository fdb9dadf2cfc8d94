// A person with an account.

import type { Timestamp } from '../lib/clock.ts';

/** Whether the account can be used (contract §9): active ⇄ suspended, and active → closed for good. */
export type AccountStatus = 'active' | 'suspended' | 'closed';

/** What an account may do besides what every member may. */
export type Role = 'member' | 'moderator' | 'operator';

export interface User {
  id: number;
  username: string;
  /** Undefined: the account has no confirmed address. The address never leaves the site. */
  email: string | undefined;
  bio: string;
  /** The version of the uploaded picture; undefined: a picture is drawn from the member's id. */
  avatar: string | undefined;
  status: AccountStatus;
  isOperator: boolean;
  /** False for an operator, who may do everything that a moderator may do. */
  isModerator: boolean;
  /** Whether the account has a second factor: an authenticator app or a passkey. */
  hasFactor: boolean;
  /** The end of the paid or honorary membership; undefined: the member never had one. */
  memberUntil: Timestamp | undefined;
  /** Experience points. `community/level.ts` has the rule for them. */
  xp: number;
  /** Whether the member's access diary is kept. */
  keepsDiary: boolean;
  /** When the member last switched the diary on or off. Undefined: never. */
  diarySince: Timestamp | undefined;
  createdAt: Timestamp;
}

export function roleOf({ isOperator, isModerator }: Pick<User, 'isOperator' | 'isModerator'>): Role {
  if (isOperator) return 'operator';
  return isModerator ? 'moderator' : 'member';
}

/** Whether the member decides about posts, comments and reports. */
export function canModerate({ isOperator, isModerator }: Pick<User, 'isOperator' | 'isModerator'>): boolean {
  return isOperator || isModerator;
}
