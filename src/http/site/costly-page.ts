// Pages that take ten times as long as others if their member follows very many, or has very many applications or lines
// in the diary.

import type { User } from '../../identity/user.ts';
import { tooOftenPage } from '../pages/too-often.ts';
import type { PageContext } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

// Of all these pages together. Nobody reads so many.
const PAGES_A_MINUTE = 120;
const WINDOW_SECONDS = 60;

/** Make a page that its member can open only so often. */
export function costly<R extends unknown[]>(
  show: (site: SiteParts, c: PageContext, user: User, ...rest: R) => Response | Promise<Response>,
): typeof show {
  return async (site, c, user, ...rest) => {
    const hit = await site.counter.hit(`pages:${user.id}`, PAGES_A_MINUTE, WINDOW_SECONDS);
    if (hit.allowed) return show(site, c, user, ...rest);
    return tooOftenPage(c, hit, c.req.path);
  };
}
