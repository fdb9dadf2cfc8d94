// The port for lists of members, which operators read.

import type { Timestamp } from '../lib/clock.ts';
import type { AccountStatus, Role, User } from './user.ts';

export type MemberFilter = 'all' | 'suspended' | 'closed' | 'operators' | 'moderators' | 'membership';

/** A position in a list of the newest members: the last member's moment of joining, and id. */
export interface MemberCursor {
  at: Timestamp;
  id: number;
}

/** Which members a list has. An undefined property allows any. */
export interface MemberQuery {
  status?: AccountStatus | undefined;
  role?: Role | undefined;
  hasMembership?: boolean | undefined;
  /** Part of the username key or of the key of the email address. */
  search?: string | undefined;
}

export interface MemberListReads {
  /** Members who joined before `before`, newest first. Memberships are judged as of `now`. */
  newestMembers(
    filter: MemberFilter,
    before: MemberCursor | undefined,
    limit: number,
    now: Timestamp,
  ): Promise<User[]>;
  /** Members with an id above `after`, oldest first. It may read every account, so no page uses it. */
  membersMatching(query: MemberQuery, after: number, limit: number, now: Timestamp): Promise<User[]>;
  /**
   * Members whose username key begins with the prefix and comes after `after`, in the order of their keys.
   */
  membersNamed(prefixKey: string, after: string | undefined, limit: number): Promise<User[]>;
  /** Counts the members whose accounts are active, up to `most`. */
  countActiveMembers(most: number): Promise<number>;
  /** `total` includes closed accounts. Suspended and closed accounts are counted up to `most`. */
  countMembers(most: number): Promise<{ total: number; suspended: number; closed: number }>;
}
