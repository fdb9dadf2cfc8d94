// What a feed for feed readers has, whatever its format.

import type { Timestamp } from '../../../lib/clock.ts';

/** An entry without its text. Addresses are complete. */
export interface FeedEntry {
  /** The id of the post or comment. */
  recordId: number;
  /** An address of the entry that never changes, since it has no title in it. */
  id: string;
  address: string;
  title: string;
  author: string;
  authorAddress: string;
  /** Plain text. Undefined if there is only the whole text. */
  summary: string | undefined;
  publishedAt: Timestamp;
  updatedAt: Timestamp;
  categories: readonly { name: string; label: string }[];
}

export interface Feed {
  title: string;
  /** The address of the page with the same entries. */
  page: string;
  /** The address of the feed itself. */
  self: string;
  language: string;
  updatedAt: Timestamp;
}

/** An entry with its HTML, if the feed has room for it. */
export interface FullEntry extends FeedEntry {
  html: string | undefined;
}
