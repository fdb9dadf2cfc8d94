// Signing out.

import { signOut as endVisit } from '../../../identity/session.ts';
import { clearSessionCookie, type PageContext, sessionCookie } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** End the session and go to the home page. */
export async function signOut(site: SiteParts, c: PageContext): Promise<Response> {
  const cookie = sessionCookie(c);
  if (cookie !== undefined) await endVisit(site.identity, cookie, site.clientAddress(c));
  clearSessionCookie(c);
  return c.redirect('/', 303);
}
