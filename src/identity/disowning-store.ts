// The port for the link "This wasn't me". Its write is one atomic, durable step.

import type { Timestamp } from '../lib/clock.ts';
import type { MailToken } from './mail-store.ts';

/** What follows when a member disowns what a mail was about. */
export interface Disowning {
  /** Replaces the password. */
  passwordHash: string;
  /** The link that lets this browser set a new password. */
  reset: MailToken;
  /** Second factors that were added since then may be someone else's. */
  factorsSince: Timestamp;
  at: Timestamp;
  /** The network address that it came from. */
  address: string;
}

export interface DisowningWrites {
  /**
   * Uses up the link, ends every session, replaces the password and every link that opens the account but `reset`, and
   * removes the newer second factors and recovery codes. False, and nothing changed, if the link was used, or if
   * the account has another address than it was mailed to.
   */
  disown(link: MailToken, disowning: Disowning): Promise<boolean>;
}
