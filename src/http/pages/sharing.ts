// What a public page says of itself to search engines, and to programs that show a preview of a link.

import { html, raw } from 'hono/html';
import type { Timestamp } from '../../lib/clock.ts';
import { memoize, memoizeByRecord } from '../../lib/remember.ts';
import { THEMES } from '../../site/accent.ts';
import type { Colours } from './colours.ts';
import { bilingual } from './language.ts';
import type { PageContext } from './visitor.ts';

type Html = ReturnType<typeof html>;

export interface SharedPicture {
  path: string;
  width: number;
  height: number;
  /** What the picture shows, for people who don't see it. Empty if that is unknown. */
  alt: string;
}

export interface Sharing {
  kind: 'website' | 'article' | 'profile';
  /** The main path of the page. */
  path: string;
  /** Plain text. Empty if there is none. */
  description?: string;
  picture?: SharedPicture | undefined;
  author?: { name: string; path: string };
  publishedAt?: Timestamp;
  updatedAt?: Timestamp;
  /** The same facts in the words of schema.org. */
  data?: readonly object[];
}

/**
 * Make the part of a page's head for other programs. Pages that don't say what to share are for their visitors alone,
 * as are all pages of a site that only members can read, and search engines should leave them out.
 */
export function sharingHead(
  c: PageContext,
  { title, status = 200, sharing }: { title: string; status?: number; sharing?: Sharing | undefined },
): Html {
  const { reading, isSandbox } = c.get('site');
  if (sharing === undefined || status !== 200 || reading !== 'everyone' || isSandbox) {
    return html`<meta name="robots" content="noindex">`;
  }
  const { baseUrl } = c.get('site');
  const { path, description = '', data = [] } = sharing;
  return html`${description !== '' && named('description', description)}
    <link rel="canonical" href="${baseUrl}${path}">${properties(c, title, sharing)}
    ${data.length > 0 && linkedData(data)}`;
}

/** The colours of the browser's own frame: those that the visitor chose for the pages, or both. */
export function themeColours(colours: Colours): Html {
  if (colours !== 'device') return html`<meta name="theme-color" content="${THEMES[colours].paper}">`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${THEMES.light.paper}">
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${THEMES.dark.paper}">`;
}

// Programs show a narrower picture beside the text.
const LARGE = 600;

const LOCALES = bilingual('en_GB', 'zh_CN');

/** The Open Graph (ogp.me), and what X reads besides. */
function properties(c: PageContext, title: string, sharing: Sharing): Html[] {
  const { name, baseUrl } = c.get('site');
  const { kind, path, description = '', picture, author, publishedAt, updatedAt } = sharing;
  const facts: [property: string, value: string | undefined][] = [
    ['og:title', title],
    ['og:type', kind],
    ['og:url', baseUrl + path],
    ['og:site_name', name],
    ['og:locale', LOCALES[c.get('visitor').language]],
    ['og:description', description || undefined],
    ['og:image', picture && baseUrl + picture.path],
    ['og:image:width', picture && `${picture.width}`],
    ['og:image:height', picture && `${picture.height}`],
    ['og:image:alt', picture?.alt || undefined],
    ['article:published_time', publishedAt === undefined ? undefined : iso(publishedAt)],
    ['article:modified_time', updatedAt === undefined ? undefined : iso(updatedAt)],
    [kind === 'profile' ? 'profile:username' : 'article:author', author && authorIn(author, kind, baseUrl)],
  ];
  return [
    ...facts.flatMap(([property, value]) =>
      value === undefined ? [] : html`\n    <meta property="${property}" content="${value}">`,
    ),
    ...(author === undefined || kind === 'profile' ? [] : [html`\n    ${named('author', author.name)}`]),
    html`\n    ${named('twitter:card', (picture?.width ?? 0) >= LARGE ? 'summary_large_image' : 'summary')}`,
  ];
}

function named(name: string, content: string): Html {
  return html`<meta name="${name}" content="${content}">`;
}

function authorIn(
  { name, path }: { name: string; path: string },
  kind: Sharing['kind'],
  baseUrl: string,
): string {
  return kind === 'profile' ? name : baseUrl + path;
}

/** Write a moment as these formats do. */
export const iso = memoize((moment: Timestamp) => new Date(moment).toISOString(), 1000);

/** A block of data, which browsers don't run. No text in it can end the block or begin a comment. */
function linkedData(things: readonly object[]): Html {
  return raw(linkedDataOf(things, () => linkedDataText(things)));
}

// Those of the home page are the same until a setting changes.
const linkedDataOf = memoizeByRecord<readonly object[], string>();

function linkedDataText(things: readonly object[]): string {
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': things });
  return `<script type="application/ld+json">${text.replaceAll(/[<>&]/g, escapeOf)}</script>`;
}

function escapeOf(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}
