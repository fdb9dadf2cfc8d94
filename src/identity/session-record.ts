// The record of a browser's sign-in.

import type { Timestamp } from '../lib/clock.ts';

export interface NewSession {
  key: string;
  digest: string;
  userId: number;
  authenticatedAt: Timestamp;
  lastSeenAt: Timestamp;
  /** The end of the session, however much it is used. */
  expiresAt: Timestamp;
}

export interface Session extends NewSession {
  /** When the member last proved who they are in this browser: at the sign-in, or later. */
  provenAt: Timestamp;
  /** The network of the last visit. */
  lastNetwork: string | undefined;
}
