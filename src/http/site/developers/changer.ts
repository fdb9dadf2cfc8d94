// The owner who changes an application, or the operator if nobody owns it, and the limit on changes.

import { byMember, byOperator, type MemberDoer, type OperatorDoer } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';

// Each change is an entry in the audit log.
const MOST_CHANGES_AN_HOUR = 60;

/** Why a change was refused. */
export interface Refusal {
  status: 400 | 409 | 429 | 503;
  text: string;
}

/** The doer of a change of this application, or why not now. */
export async function changer(
  site: SiteParts,
  c: PageContext,
  user: User,
  { ownerId }: Pick<Client, 'ownerId'>,
): Promise<MemberDoer | OperatorDoer | { refusal: Refusal }> {
  const { language } = c.get('visitor');
  const isOwner = ownerId === user.id;
  const by = isOwner ? byMember(user, site.clock, site.clientAddress(c)) : byOperator(user, site.clock);
  const limit = hourlyLimit(by.at, MOST_CHANGES_AN_HOUR, 'application changes', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast === undefined) return by;
  retryAfter(c, tooFast.retryAfterSeconds);
  const text = words[language].tooFast(waitText(tooFast.retryAfterSeconds, language));
  return { refusal: { status: 429, text } };
}

/** The words for changes that another window made impossible. */
export function changedElsewhere(language: Language): Refusal {
  return { status: 409, text: words[language].changed };
}

const words = bilingual(
  {
    tooFast: (wait: string) => `You’ve changed your applications many times already. Try again in ${wait}.`,
    changed: 'The application was changed in another window. Nothing was changed here.',
  },
  {
    tooFast: (wait) => `您更改应用的次数过多，请在 ${wait}后再试。`,
    changed: '此应用已在别处更改，这里没有更改任何内容。',
  },
);
