// The port for lists of members, which operators read.

import type { User } from './user.ts';

export type MemberFilter = 'all' | 'suspended' | 'closed' | 'operators';

export interface MemberListReads {
  /** Members with an id below `before`, newest first. */
  newestMembers(filter: MemberFilter, before: number | undefined, limit: number): Promise<User[]>;
  /** Members whose username key begins with the prefix, in the order of keys, from the key after `after`. */
  membersNamed(prefixKey: string, after: string | undefined, limit: number): Promise<User[]>;
  /** How many accounts were ever made; how many are suspended and closed now, each counted up to `most`. */
  countMembers(most: number): Promise<{ made: number; suspended: number; closed: number }>;
}
