// What a public page says of itself to search engines, and to programs that show a preview of a link.

import { html, raw } from 'hono/html';
import type { Timestamp } from '../../lib/clock.ts';
import { THEMES } from '../../site/accent.ts';
import { bilingual } from './language.ts';
import type { PageContext } from './visitor.ts';

type Html = ReturnType<typeof html>;

export interface SharedPicture {
  path: string;
  width: number;
  height: number;
  /** What the picture shows, for people who don't see it. */
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
  const { name, baseUrl } = c.get('site');
  const { kind, path, description = '', picture, author, publishedAt, updatedAt, data = [] } = sharing;
  const isLarge = picture !== undefined && picture.width >= LARGE;
  return html`
    ${description !== '' && html`<meta name="description" content="${description}">`}
    <link rel="canonical" href="${baseUrl}${path}">
    ${property('og:title', title)}
    ${property('og:type', kind)}
    ${property('og:url', baseUrl + path)}
    ${property('og:site_name', name)}
    ${property('og:locale', LOCALES[c.get('visitor').language])}
    ${description !== '' && property('og:description', description)}
    ${picture !== undefined && pictureOf(picture, baseUrl)}
    ${publishedAt !== undefined && property('article:published_time', iso(publishedAt))}
    ${updatedAt !== undefined && property('article:modified_time', iso(updatedAt))}
    ${author !== undefined && authorOf(author, kind, baseUrl)}
    <meta name="twitter:card" content="${isLarge ? 'summary_large_image' : 'summary'}">
    ${data.length > 0 && linkedData(data)}`;
}

/** The colours of the browser's own frame, on every page. */
export const THEME_COLOURS = html`
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="${THEMES.light.paper}">
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${THEMES.dark.paper}">`;

// Programs show a narrower picture beside the text.
const LARGE = 600;

const LOCALES = bilingual('en_GB', 'zh_CN');

function property(name: string, value: string): Html {
  return html`<meta property="${name}" content="${value}">
    `;
}

function pictureOf({ path, width, height, alt }: SharedPicture, baseUrl: string): Html {
  return html`${property('og:image', baseUrl + path)}${property('og:image:width', `${width}`)}${property(
    'og:image:height',
    `${height}`,
  )}${property('og:image:alt', alt)}`;
}

function authorOf(
  { name, path }: { name: string; path: string },
  kind: Sharing['kind'],
  baseUrl: string,
): Html {
  if (kind === 'profile') return property('profile:username', name);
  return html`<meta name="author" content="${name}">
    ${property('article:author', baseUrl + path)}`;
}

/** Write a moment as these formats do. */
export function iso(moment: Timestamp): string {
  return new Date(moment).toISOString();
}

/** A block of data, which browsers don't run. No text in it can end the block or begin a comment. */
function linkedData(things: readonly object[]): Html {
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': things });
  return html`<script type="application/ld+json">${raw(text.replaceAll(/[<>&]/g, escapeOf))}</script>`;
}

function escapeOf(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}
