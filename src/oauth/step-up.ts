// Before members allow an application, they prove their identity again: a stranger at their browser must not.

import { HOUR, MINUTE } from '../lib/clock.ts';
import type { SignedInMember } from './authorization.ts';
import type { Client } from './client-store.ts';
import type { Grant } from './store.ts';

// Allowing a new application gives a stranger access that outlasts the browser. So does allowing one that has none at
// present: the member paused it, or allowed one sign-in. Anyone can ask and redeem in the name of a public
// application, so each answer to it is as good as a new one.
const ENOUGH_FOR_NEW = 10 * MINUTE;
const ENOUGH_FOR_KNOWN = 12 * HOUR;

/** Report whether the member's last proof of identity is too old to allow the application, under this consent. */
export function needsProof(
  { at, provenAt }: SignedInMember,
  { kind }: Pick<Client, 'kind'>,
  grant: Grant | undefined,
): boolean {
  const isInUse = grant !== undefined && grant.pausedAt === undefined && grant.duration !== 'once';
  const isKnown = isInUse && kind === 'confidential';
  return at - provenAt > (isKnown ? ENOUGH_FOR_KNOWN : ENOUGH_FOR_NEW);
}
