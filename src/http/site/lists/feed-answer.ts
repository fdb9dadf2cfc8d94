// Answers with a feed. A reader that has the feed as it is now gets an empty answer, for which no text is read.

import { createHash } from 'node:crypto';
import { MINUTE, SECOND } from '../../../lib/clock.ts';
import { MARKDOWN_VERSION } from '../../../lib/markdown.ts';
import { BoundedMap } from '../../../lib/remember.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { atomFeed } from './atom.ts';
import type { Feed, FeedEntry, FullEntry } from './feed.ts';
import { jsonFeed } from './json-feed.ts';

const CACHEABLE_FOR = 5 * MINUTE;

// The newest entries have their texts, up to so many characters. A text that doesn't fit is left out: its entry has the
// summary.
const MOST_CHARACTERS = 500_000;

/** Answer with a feed in the format that the path names. `htmlOf` returns the HTML of an entry, or undefined. */
export async function answerFeed<E extends FeedEntry>(
  c: PageContext,
  feed: Feed,
  entries: readonly E[],
  htmlOf: (entry: E) => Promise<string | undefined>,
): Promise<Response> {
  const headers = {
    'Cache-Control': `public, max-age=${CACHEABLE_FOR / SECOND}`,
    ETag: tagOf(feed, entries),
  };
  if (hasTag(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers);
  const isJson = c.req.path.endsWith('.json');
  const name = `${isJson ? 'json' : 'atom'} ${headers.ETag}`;
  let text = newestFeeds.get(name);
  if (text === undefined) {
    const full = await withTexts(entries, htmlOf);
    text = isJson ? jsonFeed(feed, full) : atomFeed(feed, full);
    newestFeeds.set(name, text);
  }
  return c.body(text, 200, {
    ...headers,
    'Content-Type': isJson ? 'application/feed+json; charset=utf-8' : 'application/atom+xml; charset=utf-8',
  });
}

// A feed of long texts takes ten times as long as a page. Each can have a megabyte.
const newestFeeds = new BoundedMap<string, string>(10);

async function withTexts<E extends FeedEntry>(
  entries: readonly E[],
  htmlOf: (entry: E) => Promise<string | undefined>,
): Promise<FullEntry[]> {
  const full: FullEntry[] = [];
  let left = MOST_CHARACTERS;
  for (const entry of entries) {
    const html = left > 0 ? await htmlOf(entry) : undefined;
    const isShown = html !== undefined && html.length <= left;
    if (isShown) left -= html.length;
    full.push({ ...entry, html: isShown ? absolute(html, entry.address) : undefined });
  }
  return full;
}

// A text changes with its entry's time of change, or with the program that renders it.
function tagOf(feed: Feed, entries: readonly FeedEntry[]): string {
  const text = JSON.stringify([MARKDOWN_VERSION, feed, entries]);
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

// RFC 9110 §13.1.2: the comparison is weak.
function hasTag(list: string | undefined, tag: string): boolean {
  if (list === undefined) return false;
  const opaque = (one: string) => one.trim().replace(/^W\//, '');
  return list.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag));
}

// Feed readers show the HTML elsewhere. The renderer escapes quotation marks in texts, so only attributes match.
function absolute(html: string, base: string): string {
  return html
    .replaceAll(/(\s(?:href|src)=")([^"]*)"/g, (_, before, path) => `${before}${addressOf(path, base)}"`)
    .replaceAll(/(\ssrcset=")([^"]*)"/g, (_, before: string, list: string) => {
      const sources = list.split(',').map((source) => {
        const [path = '', ...width] = source.trim().split(/\s+/);
        return [addressOf(path, base), ...width].join(' ');
      });
      return `${before}${sources.join(', ')}"`;
    });
}

function addressOf(path: string, base: string): string {
  return URL.parse(path, base)?.href ?? path;
}
