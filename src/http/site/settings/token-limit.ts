// The limit on the forms that make a new API token.

import type { MemberDoer } from '../../../audit/doer.ts';
import { attempted, hourlyLimit, type TooFast } from '../../../lib/attempt.ts';
import type { SiteParts } from '../site-parts.ts';

// Each new token mails a notice.
const MOST_FORMS_AN_HOUR = 20;

/** Count a form that makes a new token. Tells how long to wait if there were too many. */
export async function tooManyTokens(
  { identity }: SiteParts,
  by: MemberDoer,
): Promise<({ problem: 'too_fast' } & TooFast) | undefined> {
  const limit = hourlyLimit(by.at, MOST_FORMS_AN_HOUR, 'API token', by.userId);
  const tooFast = await attempted(identity, limit);
  return tooFast && { problem: 'too_fast', ...tooFast };
}
