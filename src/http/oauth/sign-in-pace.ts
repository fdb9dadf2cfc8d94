// How often a member signs in at applications, and allows access. Each writes rows that are kept for long.

import type { MemberDoer } from '../../audit/doer.ts';
import { attempted, hourlyLimit } from '../../lib/attempt.ts';
import type { Client } from '../../oauth/client-store.ts';
import { OAuthError } from '../../oauth/errors.ts';
import type { OAuthParts } from './oauth-parts.ts';

// More by one member is a program that allows and removes access by turns, which fills the database.
const MOST_CONSENTS_AN_HOUR = 100;
// Each stores a code, and no page slows it down. Beyond these limits, the consent page asks. A redeemed code stays for
// a year: presented again, it must end all of the member's access for the application, so its row can't go before the
// last token that can come from it.
// A member can own many applications, so there is a limit for all of them together too.
const DAY_SECONDS = 24 * 60 * 60;
const SIGN_IN_LIMITS = [
  { most: 60, of: 'minute', seconds: 60, isForAll: false },
  { most: 500, of: 'day', seconds: DAY_SECONDS, isForAll: false },
  { most: 2000, of: 'day', seconds: DAY_SECONDS, isForAll: true },
] as const;

/** Count a consent. Returns the error for the application if there were too many. */
export async function tooManyConsents(
  { identity }: OAuthParts,
  by: MemberDoer,
): Promise<OAuthError | undefined> {
  const limit = hourlyLimit(by.at, MOST_CONSENTS_AN_HOUR, 'consent', by.userId);
  if ((await attempted(identity, limit)) === undefined) return undefined;
  return new OAuthError(
    'temporarily_unavailable',
    'The member allowed access very often within an hour, and must wait before allowing more.',
    { rule: 'too_many_consents' },
  );
}

/** Count a sign-in under a remembered consent. Returns the error for prompt=none if there were too many. */
export async function tooManySignIns(
  { counter }: OAuthParts,
  userId: number,
  { id }: Client,
): Promise<OAuthError | undefined> {
  for (const { most, of, seconds, isForAll } of SIGN_IN_LIMITS) {
    const subject = isForAll ? `${userId}` : `${userId}:${id}`;
    const hit = await counter.hit(`authorize:${of}:${subject}`, most, seconds);
    if (hit.allowed) continue;
    return new OAuthError(
      'temporarily_unavailable',
      `The member signed in very often within a ${of}. Wait ${hit.resetSeconds} seconds before the next request.`,
      { rule: 'too_many_sign_ins' },
    );
  }
  return undefined;
}
