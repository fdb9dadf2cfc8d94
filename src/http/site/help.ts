// The help for members: one page, with a list of its sections beside it.

import { html } from 'hono/html';
import { contactLine } from '../pages/contact.ts';
import { bilingual, LANGUAGE_TAGS } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { sectionMenu } from './section-menu.ts';
import { sharingOfPage } from './sharing.ts';
import type { SiteParts } from './site-parts.ts';

/** Show the help for members. */
export function helpPage({ help }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const { title, path, text, sections } = help[language];
  const items = sections()
    .filter(({ anchor }) => anchor !== '')
    .map(({ anchor, heading }) => ({ path: `#${anchor}`, name: heading, isHere: false }));
  return page(
    c,
    {
      title,
      menu: html`<div class="sections">${sectionMenu(SECTIONS[language], items)}</div>`,
      sharing: sharingOfPage(path),
    },
    html`
      <article lang="${LANGUAGE_TAGS[language]}">
        <h1>${title}</h1>
        ${text()}
      </article>
      ${contactLine(c)}`,
  );
}

const SECTIONS = bilingual('On this page', '本页内容');
