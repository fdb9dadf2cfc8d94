// The pace of changes that leave security events, which are kept for 90 days, or that cost much.

import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

type Handler = (site: SiteParts, c: PageContext, user: User, form: PostedForm) => Promise<Response>;

interface Pace {
  /** What is counted: all handlers with the same name together. */
  subject: string;
  mostAnHour: number;
  /** The page to return to. */
  back: (site: SiteParts, c: PageContext) => string;
}

/** New factors and recovery codes, also those that are refused. Each can be removed once, so removing needs no pace. */
const NEW_FACTORS: Pace = { subject: 'new factors', mostAnHour: 30, back: () => '/settings/security' };

/** Signing browsers out, which looks at all that the member is signed in to. */
const SIGN_OUTS: Pace = { subject: 'sign-outs', mostAnHour: 30, back: () => '/settings/browsers' };

/** Let members sign browsers out at a pace. */
export function pacedSignOuts(handler: Handler): Handler {
  return paced(SIGN_OUTS, handler);
}

/** Let members add factors at a pace. */
export function pacedFactors(handler: Handler): Handler {
  return paced(NEW_FACTORS, handler);
}

/** Let a member use the handler at this pace. */
export function paced({ subject, mostAnHour, back }: Pace, handler: Handler): Handler {
  return async function paced(site, c, user, form) {
    const tooFast = await attempted(site.identity, hourlyLimit(site.clock(), mostAnHour, subject, user.id));
    return tooFast === undefined ? handler(site, c, user, form) : tooOftenPage(c, tooFast, back(site, c));
  };
}
