// Answers with a feed. A reader that has the feed as it is now gets an empty answer, for which no text is read.

import { createHash } from 'node:crypto';
import { MINUTE, SECOND } from '../../../lib/clock.ts';
import { MARKDOWN_VERSION } from '../../../lib/markdown.ts';
import { memoize } from '../../../lib/remember.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { atomFeed } from './atom.ts';
import type { Feed, FeedEntry, FullEntry } from './feed.ts';
import { jsonFeed } from './json-feed.ts';

const CACHEABLE_FOR = 5 * MINUTE;

// The newest entries have their texts, up to so many bytes. A text that doesn't fit is left out without being read: its
// entry has the summary.
const MOST_BYTES = 500_000;

/** The texts of entries, by the ids of their posts or comments. One that is gone is left out. */
export interface EntryTexts {
  /** The bytes of the HTML, or of the Markdown if it was not rendered yet, without reading either. */
  sizes(): Promise<ReadonlyMap<number, number>>;
  htmlOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** Answer with a feed in the format that the path names. */
export async function answerFeed(
  c: PageContext,
  feed: Feed,
  entries: readonly FeedEntry[],
  texts: EntryTexts,
): Promise<Response> {
  const headers = {
    'Cache-Control': `public, max-age=${CACHEABLE_FOR / SECOND}`,
    ETag: tagOf(feed, entries),
  };
  if (hasTag(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers);
  const isJson = c.req.path.endsWith('.json');
  const name = `${isJson ? 'json' : 'atom'} ${headers.ETag}`;
  let bytes = newestFeeds.get(name);
  if (bytes === undefined) {
    const full = await withTexts(entries, texts);
    bytes = Buffer.from(isJson ? jsonFeed(feed, full) : atomFeed(feed, full));
    keep(name, bytes);
  }
  return c.body(bytes, 200, {
    ...headers,
    'Content-Type': isJson ? 'application/feed+json; charset=utf-8' : 'application/atom+xml; charset=utf-8',
  });
}

// A feed of long texts takes several times as long as a page. Each can have some megabytes. A member's posts with five
// tags each are in 16 feeds.
const newestFeeds = new Map<string, Buffer<ArrayBuffer>>();
const MOST_BYTES_KEPT = 32_000_000;
let bytesKept = 0;

function keep(name: string, feed: Buffer<ArrayBuffer>): void {
  forget(name);
  newestFeeds.set(name, feed);
  bytesKept += feed.byteLength;
  for (const oldest of newestFeeds.keys()) {
    if (bytesKept <= MOST_BYTES_KEPT) break;
    forget(oldest);
  }
}

function forget(name: string): void {
  bytesKept -= newestFeeds.get(name)?.byteLength ?? 0;
  newestFeeds.delete(name);
}

async function withTexts(entries: readonly FeedEntry[], texts: EntryTexts): Promise<FullEntry[]> {
  const sizes = await texts.sizes();
  const htmls = new Map(await texts.htmlOf(fitting(entries, (id) => sizes.get(id))));
  for (const { recordId, id } of entries) {
    const html = htmls.get(recordId);
    if (html !== undefined) htmls.set(recordId, absolute(html, id));
  }
  // Some may have been rendered only now, and links are longer.
  const shown = new Set(fitting(entries, (id) => sizeOf(htmls.get(id))));
  return entries.map((entry) => ({
    ...entry,
    html: shown.has(entry.recordId) ? htmls.get(entry.recordId) : undefined,
  }));
}

function sizeOf(html: string | undefined): number | undefined {
  return html === undefined ? undefined : Buffer.byteLength(html);
}

/** Choose the newest entries whose texts fit together. */
function fitting(entries: readonly FeedEntry[], bytesOf: (id: number) => number | undefined): number[] {
  let left = MOST_BYTES;
  const ids = entries.map(({ recordId }) => recordId);
  return ids.filter((id) => {
    const bytes = bytesOf(id);
    if (bytes === undefined || bytes > left) return false;
    left -= bytes;
    return true;
  });
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

// Feed readers show the HTML elsewhere. The base has no title, since each link gets it, and a title can be long. The
// renderer escapes quotation marks in texts, so only attributes match.
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

// Put together, because parsing ten thousand addresses takes 40 ms.
function addressOf(path: string, base: string): string {
  const { protocol, origin } = rootOf(base);
  if (/^[a-z][a-z\d+.-]*:/i.test(path)) return path;
  if (path.startsWith('//')) return protocol + path;
  if (path.startsWith('/')) return origin + path;
  if (path === '' || path.startsWith('?') || path.startsWith('#')) return base + path;
  return base.slice(0, base.lastIndexOf('/') + 1) + path;
}

const rootOf = memoize((base: string) => new URL(base), 100);
