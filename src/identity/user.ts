// A person with an account.

import type { Timestamp } from '../lib/clock.ts';

/** Whether the account can be used (contract §9): active ⇄ suspended, and active → closed for good. */
export type AccountStatus = 'active' | 'suspended' | 'closed';

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
  /** The end of the paid or honorary membership; undefined: the member never had one. */
  memberUntil: Timestamp | undefined;
  /** Experience points. `community/level.ts` has the rule for them. */
  xp: number;
  createdAt: Timestamp;
}
