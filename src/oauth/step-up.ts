// Before members allow an application, they prove their identity again: a stranger at their browser must not.

import { HOUR, MINUTE } from '../lib/clock.ts';
import type { SignedInMember } from './authorization.ts';
import type { Grant } from './store.ts';

// Allowing a new application gives a stranger access that outlasts the browser.
const ENOUGH_FOR_NEW = 10 * MINUTE;
const ENOUGH_FOR_KNOWN = 12 * HOUR;

/** Report whether the member's last proof of identity is too old to allow the application, under this consent. */
export function needsProof({ at, provenAt }: SignedInMember, grant: Grant | undefined): boolean {
  return at - provenAt > (grant === undefined ? ENOUGH_FOR_NEW : ENOUGH_FOR_KNOWN);
}
