// The part of every page's head that is about the site: its icons, its manifest and its search.

import { html } from 'hono/html';
import { iconPath, logoPath } from './appearance.ts';
import { bilingual } from './language.ts';
import type { PageContext } from './visitor.ts';

type Html = ReturnType<typeof html>;

export const MANIFEST = '/manifest.webmanifest';
export const OPEN_SEARCH = '/opensearch.xml';

/** Make the links. A page with one decision offers nothing to install. */
export function siteLinks(c: PageContext, isBare = false): Html {
  const site = c.get('site');
  const { logo, name, isSandbox } = site;
  const [icon, type] = logo === '' ? ['/icon.svg', 'image/svg+xml'] : [logoPath(logo), 'image/png'];
  const title = SEARCH[c.get('visitor').language](name);
  return html`
    <link rel="icon" href="${icon}" type="${type}">
    ${!isBare && html`<link rel="apple-touch-icon" href="${iconPath(site, '180')}">`}
    ${!isBare && html`<link rel="manifest" href="${MANIFEST}">`}
    ${!isBare && !isSandbox && html`<link rel="search" type="${SEARCH_TYPE}" title="${title}" href="${OPEN_SEARCH}">`}`;
}

const SEARCH_TYPE = 'application/opensearchdescription+xml';

const SEARCH = bilingual(
  (name: string) => `Search ${name}`,
  (name) => `在${name}中搜索`,
);
