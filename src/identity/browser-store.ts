// The port for the browsers that a member is signed in with. Each write is one atomic, durable step.

import type { MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';

/** A session, as its member sees it. */
export interface SignedInBrowser {
  /** The key of the session, which is no secret. */
  key: string;
  /** Its short name, such as "Firefox on Linux". Empty if it is unknown. */
  program: string;
  /** The network of the sign-in: a /24 or /48 prefix. */
  network: string | undefined;
  /** The network of the last visit. */
  lastNetwork: string | undefined;
  signedInAt: Timestamp;
  /** Exact to the hour. */
  lastSeenAt: Timestamp;
}

export interface BrowserReads {
  /** The account's sessions that end after `now` and were visited after `since`, last visited first. */
  browsersOf(userId: number, now: Timestamp, since: Timestamp): Promise<SignedInBrowser[]>;
  /**
   * Whether the member has sign-ins at public applications that began in another session than this one. With a thousand
   * live sign-ins at all applications, it is taken for granted.
   */
  hasSignInsElsewhere(userId: number, key: string, now: Timestamp): Promise<boolean>;
}

export interface BrowserWrites {
  /**
   * Ends one of the member's sessions, and sends logout tokens to the applications to which the member signed in from
   * it. False if the member has no such session.
   */
  endOwnSession(by: MemberDoer, browser: Pick<SignedInBrowser, 'key' | 'signedInAt'>): Promise<boolean>;
  /** Ends all sessions of the member but this one, with their logout tokens. */
  endOtherSessions(by: MemberDoer, key: string): Promise<void>;
}
