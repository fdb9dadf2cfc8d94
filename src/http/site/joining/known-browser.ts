// The cookie of a browser that signed members in before.

import { byMember } from '../../../audit/doer.ts';
import { type KnownAccount, type KnownBrowser, knowMember } from '../../../identity/known-browser.ts';
import { setLanguage } from '../../../identity/member-language.ts';
import { knownBrowserCookie, type PageContext, setKnownBrowserCookie } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

/** Read the browser of a request. */
export async function knownBrowser(site: SiteParts, c: PageContext): Promise<KnownBrowser> {
  return { cookie: knownBrowserCookie(c), secret: await site.knownBrowserSecret() };
}

/** Remember that the member used this browser, what the sign-in proved, and in which language. */
export async function rememberMember(
  site: SiteParts,
  c: PageContext,
  { userId, hasFactor }: Pick<KnownAccount, 'userId' | 'hasFactor'>,
): Promise<void> {
  const passwordHash = await site.identity.reads.findPasswordHash(userId);
  if (passwordHash === undefined) return;
  setKnownBrowserCookie(c, knowMember(await knownBrowser(site, c), { userId, passwordHash, hasFactor }));
  await setLanguage(byMember({ id: userId }, site.clock), site.identity, c.get('visitor').language);
}
