// The end of a sign-in: this browser gets the session, and goes where the member wanted to go.

import { giveSession, type PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { rememberMember } from './known-browser.ts';
import { pathAfterSignIn } from './renamed.ts';

/** Give the browser the session of this cookie, and lead on. */
export async function finishSignIn(
  site: SiteParts,
  c: PageContext,
  member: { userId: number; hasFactor: boolean },
  cookie: string,
  returnTo: string,
): Promise<Response> {
  await giveSession(c, site.identity, cookie, site.clientAddress(c));
  await rememberMember(site, c, member);
  return c.redirect(await pathAfterSignIn(site, member.userId, returnTo), 303);
}
