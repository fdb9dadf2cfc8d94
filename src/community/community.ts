// The context of src/community: its port and the clock. compose.ts creates it.

import type { MaskCredentials } from '../audit/credential-notice.ts';
import type { NamedMember } from '../identity/store.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileStore } from '../lib/file-store.ts';
import type { TextRenderer } from '../lib/text-renderer.ts';
import type { CommunityReads, CommunityWrites } from './store.ts';

export interface PicturePlace {
  /** Undefined: the database. */
  files: FileStore | undefined;
  /** Where they were before: some are still there. They are read and deleted there too. */
  earlier?: FileStore | undefined;
  /** How many files a member may upload in a day. */
  mostPerDay: number;
  /** How many bytes the pictures of a member may have. */
  mostBytes: number;
  /** Called with the reason if a picture can't be stored or read. */
  onFailure(error: unknown): void;
}

export interface Community {
  reads: CommunityReads;
  /** Only for the rules in src/community. The HTTP and command-line code must not use it. */
  writes: CommunityWrites;
  clock: Clock;
  renderer: TextRenderer;
  /** How many of a member's first posts and comments wait for approval; 0: none. compose.ts passes it in. */
  textsToApprove: () => Awaitable<number>;
  /** Finds members by their usernames. compose.ts passes it in. */
  membersNamed: (names: readonly string[]) => Promise<ReadonlyMap<string, NamedMember>>;
  /** Where uploaded pictures are kept, and how many a member may have. compose.ts passes it in. */
  pictures: PicturePlace;
  /** compose.ts passes it in. */
  maskCredentials: MaskCredentials;
}
