// A link back to the application that waits, on pages that end a detour from its sign-in.

import { html } from 'hono/html';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { applicationOfReturn, loginPath } from '../../pages/return-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { waitingRequest } from '../../pages/waiting-request.ts';
import type { SiteParts } from '../site-parts.ts';

/** Lead on to the application that waits in this browser. Undefined if none does. */
export async function waitingLink({ oauth }: SiteParts, c: PageContext): Promise<Html | undefined> {
  const path = waitingRequest(c);
  const name = path === undefined ? undefined : await applicationOfReturn(oauth, path);
  if (path === undefined || name === undefined) return undefined;
  const { visit, language } = c.get('visitor');
  const target = visit === undefined ? loginPath(path) : path;
  return html`<p><a class="button primary" href="${target}">${words[language](name)}</a></p>`;
}

const words = bilingual(
  (application: string) => `Continue to ${application}`,
  (application) => `继续前往 ${application}`,
);
