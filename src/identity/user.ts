// A person with an account.

import type { Timestamp } from '../lib/clock.ts';
import { hasHidden } from '../lib/one-line.ts';

/** Whether the account can be used (contract §9): active ⇄ suspended, and active → closed for good. */
export type AccountStatus = 'active' | 'suspended' | 'closed';

export interface User {
  id: number;
  username: string;
  /** Undefined: none was given. Never leaves the site. */
  email: string | undefined;
  bio: string;
  /** Names the picture that the member chose; undefined: one is drawn from the member's number. */
  avatar: string | undefined;
  status: AccountStatus;
  isOperator: boolean;
  /** The end of the paid or honorary membership; undefined: there never was one. */
  memberUntil: Timestamp | undefined;
  /** Experience points; the rule for them is the community's. */
  xp: number;
  createdAt: Timestamp;
}

/** Contract §7. */
export const MOST_BIO_CHARACTERS = 160;

/** Says why a bio can't be kept, or undefined if it can. */
export function problemWithBio(bio: string): 'too_long' | 'hidden_characters' | undefined {
  if ([...bio].length > MOST_BIO_CHARACTERS) return 'too_long';
  if (hasHidden(bio)) return 'hidden_characters';
  return undefined;
}
