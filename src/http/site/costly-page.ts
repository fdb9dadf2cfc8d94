// Pages that take ten times as long as others if their member follows very many, or has very many applications,
// sign-ins, removed posts or lines in the diary.

import type { User } from '../../identity/user.ts';
import { tooOftenPage } from '../pages/too-often.ts';
import { type PageContext, sessionKeyOf } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

// Of all these pages together. Nobody reads so many. A thief who has one session of a member leaves the member enough.
const PAGES_OF_SESSION = 120;
const PAGES_OF_MEMBER = 480;
const WINDOW_SECONDS = 60;

/** Make a page that its member can open only so often. */
export function costly<R extends unknown[]>(
  show: (site: SiteParts, c: PageContext, user: User, ...rest: R) => Response | Promise<Response>,
): typeof show {
  return async (site, c, user, ...rest) => {
    const ofSession = await site.counter.hit(`pages:${sessionKeyOf(c)}`, PAGES_OF_SESSION, WINDOW_SECONDS);
    if (!ofSession.allowed) return tooOftenPage(c, ofSession, c.req.path);
    const ofMember = await site.counter.hit(`pages of:${user.id}`, PAGES_OF_MEMBER, WINDOW_SECONDS);
    if (!ofMember.allowed) return tooOftenPage(c, ofMember, c.req.path);
    return show(site, c, user, ...rest);
  };
}
