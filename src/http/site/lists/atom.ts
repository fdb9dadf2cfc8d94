// Atom feeds (RFC 4287).

import type { Timestamp } from '../../../lib/clock.ts';
import type { Feed, FullEntry } from './feed.ts';

/** Write a feed. */
export function atomFeed(
  { title, page, self, language, updatedAt }: Feed,
  entries: readonly FullEntry[],
): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escaped(language)}">
<id>${escaped(self)}</id>
<title>${escaped(title)}</title>
<updated>${moment(updatedAt)}</updated>
<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>
<link rel="alternate" type="text/html" href="${escaped(page)}"/>
${entries.map(entryOf).join('')}</feed>
`;
}

function entryOf(entry: FullEntry): string {
  const { id, address, title, author, authorAddress, html, summary, categories } = entry;
  return `<entry>
<id>${escaped(id)}</id>
<title>${escaped(title)}</title>
<link rel="alternate" type="text/html" href="${escaped(address)}"/>
<published>${moment(entry.publishedAt)}</published>
<updated>${moment(entry.updatedAt)}</updated>
<author>
<name>${escaped(author)}</name>
<uri>${escaped(authorAddress)}</uri>
</author>
${categories.map(({ name, label }) => `<category term="${escaped(name)}" label="${escaped(label)}"/>\n`).join('')}\
${summary === undefined ? '' : `<summary>${escaped(summary)}</summary>\n`}\
${html === undefined ? '' : `<content type="html">${escaped(html)}</content>\n`}\
</entry>
`;
}

/** Write a moment as XML formats do. */
export function moment(at: Timestamp): string {
  return new Date(at).toISOString();
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escape a text. XML 1.0 forbids most control characters, even escaped ones (§2.2). */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
