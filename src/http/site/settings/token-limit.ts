// The limits on the forms that make a new API token, and on those that edit one.

import type { MemberDoer } from '../../../audit/doer.ts';
import { type AttemptLimit, attempted, hourlyLimit, type TooFast } from '../../../lib/attempt.ts';
import type { SiteParts } from '../site-parts.ts';

// Each new token mails a notice.
const MOST_FORMS_AN_HOUR = 20;
// Each leaves a security event.
const MOST_EDITS_AN_HOUR = 60;

type Refusal = { problem: 'too_fast' } & TooFast;

/** Count a form that makes a new token. Tells how long to wait if there were too many. */
export function tooManyTokens(site: SiteParts, by: MemberDoer): Promise<Refusal | undefined> {
  return counted(site, hourlyLimit(by.at, MOST_FORMS_AN_HOUR, 'API token', by.userId));
}

/** Count a form that edits a token. Tells how long to wait if there were too many. */
export function tooManyEdits(site: SiteParts, by: MemberDoer): Promise<Refusal | undefined> {
  return counted(site, hourlyLimit(by.at, MOST_EDITS_AN_HOUR, 'API token edit', by.userId));
}

async function counted({ identity }: SiteParts, limit: AttemptLimit): Promise<Refusal | undefined> {
  const tooFast = await attempted(identity, limit);
  return tooFast && { problem: 'too_fast', ...tooFast };
}
