// JSON Feed 1.1 (jsonfeed.org).

import type { Feed, FullEntry } from './feed.ts';

/** Write a feed. */
export function jsonFeed({ title, page, self, language }: Feed, entries: readonly FullEntry[]): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    language,
    items: entries.map(itemOf),
  });
}

function itemOf(entry: FullEntry) {
  const { id, address, title, author, authorAddress, html, summary, categories } = entry;
  return {
    id,
    url: address,
    title,
    ...(html === undefined ? { content_text: summary ?? title } : { content_html: html }),
    ...(summary !== undefined && { summary }),
    date_published: new Date(entry.publishedAt).toISOString(),
    date_modified: new Date(entry.updatedAt).toISOString(),
    authors: [{ name: author, url: authorAddress }],
    tags: categories.map(({ label }) => label),
  };
}
