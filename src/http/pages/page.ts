// The whole of a page: its head, the frame around its content, and the headers that isolate it.

import { html } from 'hono/html';
import type { Problem } from '../problem.ts';
import { pagePolicy } from '../security-headers.ts';
import { HEADING_FONT, KEYS_SCRIPT, STYLE_PATH } from '../static-files.ts';
import { accentStyle } from './appearance.ts';
import { chosenColours } from './colours.ts';
import { type Frame, footer, type HeaderCounts, header, jsonFeedPath, sandboxLine } from './frame.ts';
import { hasKeys } from './keys-choice.ts';
import { bilingual, LANGUAGE_TAGS } from './language.ts';
import { type Sharing, sharingHead, themeColours } from './sharing.ts';
import { siteLinks } from './site-links.ts';
import type { PageContext } from './visitor.ts';
import { welcomeNotice } from './welcome.ts';

export { formTokenField, visitorFormTokenField } from './form-token-field.ts';

/** A piece of HTML whose values are escaped. */
export type Html = ReturnType<typeof html>;

export interface PageOptions extends Frame {
  title: string;
  status?: 200 | 409 | 414 | 507 | Problem['status'];
  /** Sources besides this site that a form on the page may finally lead to. */
  formTargets?: readonly string[];
  /** The paths of scripts of ours. The page works without them too. */
  script?: string | readonly string[];
  /** The menu of a section, beside the content. */
  menu?: Html;
  /** What is beside the content on a wide screen, and below it on others. */
  beside?: Html;
  /** What the operators announce: above what is beside the content, or above the content. */
  announcement?: Html;
  /** What other programs may know of the page. Undefined: the page is for its visitor alone. */
  sharing?: Sharing | undefined;
}

/** A page as it is sent. */
export interface MadePage {
  bytes: Buffer<ArrayBuffer>;
  status: NonNullable<PageOptions['status']>;
  headers: Record<string, string>;
}

/** Answer with a page. It is for this visitor alone, so no cache may store it. */
export async function page(c: PageContext, options: PageOptions, content: Html): Promise<Response> {
  const { unread, reports, waiting } = c.get('visitor');
  const counts = {
    unread: await countOf(unread),
    reports: await countOf(reports),
    waiting: await countOf(waiting),
  };
  return answerWith(c, makePage(c, options, content, counts));
}

/** Answer with a page that was made. */
export function answerWith(c: PageContext, { bytes, status, headers }: MadePage): Response {
  return c.body(bytes, status, headers);
}

/** Make a page without answering yet. */
export function makePage(
  c: PageContext,
  options: PageOptions,
  content: Html,
  counts: HeaderCounts = NO_COUNTS,
): MadePage {
  const scripts =
    scriptsOf(c, options).length === 0 ? 'none' : ownScripts(options).length === 0 ? 'run' : 'connect';
  return {
    // As bytes: the adapter could send the template's own object only as a stream, and would encode a string twice.
    bytes: Buffer.from(documentOf(c, options, content, counts).toString()),
    status: options.status ?? 200,
    headers: {
      'Content-Security-Policy': pagePolicy(options.formTargets, scripts),
      'Cache-Control': 'no-store',
      Vary: 'Cookie, Accept-Language',
      'Content-Language': LANGUAGE_TAGS[c.get('visitor').language],
      'Content-Type': 'text/html; charset=UTF-8',
    },
  };
}

const NO_COUNTS: HeaderCounts = { unread: 0, reports: 0, waiting: 0 };

function documentOf(c: PageContext, options: PageOptions, content: Html, counts: HeaderCounts): Html {
  const { language } = c.get('visitor');
  const colours = chosenColours(c);
  const welcome = welcomeNotice(c);
  const body = welcome === '' ? content : html`${welcome}${content}`;
  return html`<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}"${colours !== 'device' && html` data-colours="${colours}"`}>
  ${head(c, options)}
  <body>
    <a class="skip" href="#content">${SKIP[language]}</a>
    ${sandboxLine(c)}
    ${header(c, counts, options)}
    ${mainPart(options, body)}
    ${footer(c, options)}
  </body>
</html>`;
}

// A page with one decision has no shortcuts.
function scriptsOf(c: PageContext, options: PageOptions): string[] {
  return [...(options.isBare || !hasKeys(c) ? [] : [KEYS_SCRIPT]), ...ownScripts(options)];
}

function ownScripts({ script = [] }: PageOptions): readonly string[] {
  return [script].flat();
}

function head(c: PageContext, options: PageOptions): Html {
  const { title, feed } = options;
  const { name, accent } = c.get('site');
  return html`
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title === name ? name : html`${title} &middot; ${name}`}</title>
    ${themeColours(chosenColours(c))}
    <link rel="preload" href="${HEADING_FONT}" as="font" type="font/woff2" crossorigin>
    <link rel="stylesheet" href="${STYLE_PATH}">
    ${accent !== '' && html`<link rel="stylesheet" href="${accentStyle(accent).path}">`}
    ${scriptsOf(c, options).map((script) => html`<script src="${script}" defer></script>`)}
    ${siteLinks(c, options.isBare)}
    ${feed !== undefined && feedLink(title, feed)}
    ${sharingHead(c, options)}
  </head>`;
}

// The same feed is there in two formats.
function feedLink(title: string, path: string): Html {
  return html`
    <link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">
    <link rel="alternate" type="application/feed+json" title="${title}" href="${jsonFeedPath(path)}">`;
}

function mainPart({ menu, beside, announcement, feed }: PageOptions, content: Html): Html {
  if (menu !== undefined) return wideContent(menu, content);
  // A list of posts is a feed in the words of microformats.
  const kind = feed === undefined ? '' : 'h-feed';
  if (beside === undefined && announcement === undefined) {
    return html`<main id="content"${kind !== '' && html` class="${kind}"`}>${content}</main>`;
  }
  return html`
    <main id="content" class="with-beside">${announcement}<div class="${kind}">${content}</div>${beside}</main>`;
}

function wideContent(menu: Html, content: Html): Html {
  return html`
    <main id="content" class="wide">
      <aside class="menu">${menu}</aside>
      <div>${content}</div>
    </main>`;
}

// The page that reports an unreachable database must not need the database.
async function countOf(count: (() => Promise<number>) | undefined): Promise<number> {
  return count?.().catch(() => 0) ?? 0;
}

const SKIP = bilingual('Skip to the content', '跳到正文');
