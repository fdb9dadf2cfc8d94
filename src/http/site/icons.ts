// What browsers and phones install of the site: its icons, its manifest, and its search.

import { drawIcon, type Icon } from '../../lib/card.ts';
import { HOUR, SECOND } from '../../lib/clock.ts';
import { cutOff } from '../../lib/one-line.ts';
import type { WantedDrawing } from '../../site/drawing.ts';
import { iconPath, iconVersion } from '../pages/appearance.ts';
import { LANGUAGE_TAGS } from '../pages/language.ts';
import { OPEN_SEARCH } from '../pages/site-links.ts';
import type { PageContext } from '../pages/visitor.ts';
import { FOREVER } from '../static-files.ts';
import { coloursOf, markOf } from './cards.ts';
import { drawnPicture } from './drawn.ts';
import { escaped } from './lists/atom.ts';
import type { SiteParts } from './site-parts.ts';

// Systems round the corners of icons. They cut a fifth off each side of a maskable one (W3C, Web Application Manifest).
const ICONS = {
  32: { side: 32, share: 0.9 },
  180: { side: 180, share: 0.7 },
  192: { side: 192, share: 0.74 },
  512: { side: 512, share: 0.74 },
  maskable: { side: 512, share: 0.52 },
} satisfies Record<string, Pick<Icon, 'side' | 'share'>>;

const CACHE = { 'Cache-Control': `public, max-age=${HOUR / SECOND}` };

/** Answer with an icon, made of the logo or of the arch. */
export function iconFile(parts: SiteParts, c: PageContext): Promise<Response> {
  const [size = ''] = c.req.param('file')?.split('-') ?? [];
  const icon = Object.hasOwn(ICONS, size) ? ICONS[size as unknown as keyof typeof ICONS] : undefined;
  return drawnPicture(parts, c, icon && wanted(parts, c, size, icon), FOREVER);
}

function wanted(
  parts: SiteParts,
  c: PageContext,
  size: string,
  icon: Pick<Icon, 'side' | 'share'>,
): WantedDrawing {
  const site = c.get('site');
  return {
    name: `icon ${size}`,
    version: iconVersion(site),
    draw: async (caller) =>
      drawIcon({ ...icon, ...coloursOf(site), mark: await markOf(parts, site) }, caller),
  };
}

/** Answer with the manifest, with which a phone adds the site to its home screen. */
export function manifest(_: SiteParts, c: PageContext): Response {
  const site = c.get('site');
  const { name, sentence, language } = site;
  const { paper } = coloursOf(site);
  const icon = (size: string, more = {}) => {
    const { side } = ICONS[size as unknown as keyof typeof ICONS];
    return { src: iconPath(site, size), sizes: `${side}x${side}`, type: 'image/png', ...more };
  };
  const text = {
    name,
    ...([...name].length <= LONGEST_SHORT_NAME && { short_name: name }),
    ...(sentence !== '' && { description: sentence }),
    lang: LANGUAGE_TAGS[language],
    dir: 'auto',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: paper,
    theme_color: paper,
    icons: [icon('192'), icon('512'), icon('maskable', { purpose: 'maskable' })],
  };
  return c.body(JSON.stringify(text), 200, { 'Content-Type': 'application/manifest+json', ...CACHE });
}

// Home screens have room for about so many letters.
const LONGEST_SHORT_NAME = 12;

/** Answer with the description of the search, for browsers that add it to theirs (OpenSearch 1.1). */
export function openSearch(_: SiteParts, c: PageContext): Response {
  const site = c.get('site');
  const { name, sentence, baseUrl } = site;
  const base = escaped(baseUrl);
  const text = `<?xml version="1.0" encoding="utf-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escaped(cutOff(name, 16))}</ShortName>
<LongName>${escaped(cutOff(name, 48))}</LongName>
<Description>${escaped(sentence === '' ? name : sentence)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/png">${base}${iconPath(site, '32')}</Image>
<Url type="text/html" template="${base}/search?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${base}${OPEN_SEARCH}"/>
</OpenSearchDescription>
`;
  return c.body(text, 200, {
    'Content-Type': 'application/opensearchdescription+xml; charset=utf-8',
    ...CACHE,
  });
}

/** The path of the icon that browsers ask for without being told. */
export function favicon(_: SiteParts, c: PageContext): string {
  return iconPath(c.get('site'), '32');
}

/** The same for phones. */
export function touchIcon(_: SiteParts, c: PageContext): string {
  return iconPath(c.get('site'), '180');
}
