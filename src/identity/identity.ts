// The context of src/identity: its port, the clock, the site's rules for passwords, and the signal for new
// mails. compose.ts creates it.

import type { MaskCredentials } from '../audit/credential-notice.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Clock } from '../lib/clock.ts';
import type { GuestRules } from './guest-rules.ts';
import type { PasswordRules } from './password-rules.ts';
import type { IdentityReads, IdentityWrites } from './store.ts';

export interface Identity {
  reads: IdentityReads;
  /** Only for the rules in src/identity. The HTTP and command-line code must not use it. */
  writes: IdentityWrites;
  clock: Clock;
  passwordRules: PasswordRules;
  /** What operators have set to keep bad guests out. */
  guestRules: () => Awaitable<GuestRules>;
  /** compose.ts passes it in. */
  maskCredentials: MaskCredentials;
  /** Called after a mail is added, so that this process sends it without delay. */
  onMail?: (() => void) | undefined;
}
