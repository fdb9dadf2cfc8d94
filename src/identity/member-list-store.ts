// The port for lists of members, which operators read.

import type { User } from './user.ts';

export type MemberFilter = 'all' | 'suspended' | 'closed' | 'operators';

export interface MemberListReads {
  /** Members with an id below `before`, newest first. */
  newestMembers(filter: MemberFilter, before: number | undefined, limit: number): Promise<User[]>;
  /**
   * Members whose username key begins with the prefix and comes after `after`, in the order of their keys.
   */
  membersNamed(prefixKey: string, after: string | undefined, limit: number): Promise<User[]>;
  /** `total` includes closed accounts. Suspended and closed accounts are counted up to `most`. */
  countMembers(most: number): Promise<{ total: number; suspended: number; closed: number }>;
}
