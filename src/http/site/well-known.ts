// Where to report vulnerabilities, at the address where researchers look for it (RFC 9116).

import { DAY, SECOND } from '../../lib/clock.ts';
import { notFoundPage } from '../pages/failures.ts';
import type { PageContext } from '../pages/visitor.ts';
import { chapterPath } from './chapters.ts';
import { EXPOSED_PATH } from './exposed-credentials.ts';
import type { SiteParts } from './site-parts.ts';

export const SECURITY_TXT = '/.well-known/security.txt';

// RFC 9116 §2.5.5 recommends less than a year.
const VALIDITY = 180 * DAY;

/** Answer with security.txt, if the operators named a contact. */
export function securityTxt({ site, clock }: SiteParts, c: PageContext): Response | Promise<Response> {
  const { securityContact, baseUrl } = site;
  if (securityContact === undefined) return notFoundPage(c);
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(clock() + VALIDITY).toISOString()}`,
    'Preferred-Languages: en, zh',
    `Canonical: ${baseUrl}${SECURITY_TXT}`,
    `Policy: ${baseUrl}${chapterPath('security')}`,
    // RFC 9116 §2.2: a comment.
    `# Found a token of this site? Have it revoked: ${baseUrl}${EXPOSED_PATH}`,
  ];
  return c.text(`${lines.join('\n')}\n`, 200, { 'Cache-Control': `public, max-age=${DAY / SECOND}` });
}
