// The cookie of a browser that signed members in before.

import { type KnownBrowser, knowMember } from '../../../identity/known-browser.ts';
import { knownBrowserCookie, type PageContext, setKnownBrowserCookie } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Read the browser of a request. */
export async function knownBrowser(site: SiteParts, c: PageContext): Promise<KnownBrowser> {
  return { cookie: knownBrowserCookie(c), secret: await site.knownBrowserSecret() };
}

/** Remember that the member signed in with this browser, and with the present password. */
export async function rememberMember(site: SiteParts, c: PageContext, userId: number): Promise<void> {
  const passwordHash = await site.identity.reads.findPasswordHash(userId);
  if (passwordHash === undefined) return;
  setKnownBrowserCookie(c, knowMember(await knownBrowser(site, c), { userId, passwordHash }));
}
