// The pages that operators write: rules, about, privacy and terms.

import { html } from 'hono/html';
import { renderMarkdown } from '../../lib/markdown.ts';
import { memoize } from '../../lib/remember.ts';
import type { TextName, WrittenPage } from '../../site/text-names.ts';
import { textIn } from '../../site/texts.ts';
import { notFoundPage } from '../pages/failures.ts';
import { LANGUAGE_TAGS } from '../pages/language.ts';
import { type Html, page } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import type { PageContext } from '../pages/visitor.ts';
import { WRITTEN_TITLES } from '../pages/written-titles.ts';
import { sharingOfPage } from './sharing.ts';
import type { SiteParts } from './site-parts.ts';

/** Show a page that the operators wrote, in the visitor's language or else in the other one. */
export async function writtenPage(site: SiteParts, c: PageContext): Promise<Response> {
  const name = c.req.path.slice(1) as WrittenPage;
  const text = await writtenText(site, c, name);
  if (text === '') return notFoundPage(c);
  const title = WRITTEN_TITLES[c.get('visitor').language][name];
  return page(c, { title, sharing: sharingOfPage(`/${name}`) }, html`<h1>${title}</h1>${text}`);
}

/** Show a text that the operators wrote. Empty if they have written none. */
export async function writtenText({ site }: SiteParts, c: PageContext, name: TextName): Promise<Html | ''> {
  if (c.get('site')[name] === '') return '';
  const { language } = c.get('visitor');
  const text = await textIn(site, name, language);
  if (text === undefined) return '';
  const rendered = prose(rendering(text.markdown));
  return text.language === language
    ? rendered
    : html`<div lang="${LANGUAGE_TAGS[text.language]}">${rendered}</div>`;
}

// Five texts in two languages, and some that were changed.
const rendering = memoize(renderMarkdown, 20);
