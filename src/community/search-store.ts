// The search for posts, as reads from storage.

import type { PostLanguage } from './post-language.ts';
import type { PostSummary } from './post-store.ts';

/** Which posts a search finds. */
export interface PostQuery {
  /** Every post contains all of them. At least one. */
  phrases: readonly (readonly string[])[];
  /** Whether the last phrase, if it is one word, also stands for words that begin with it. */
  isCompleted?: boolean;
  authorId?: number | undefined;
  categoryId?: number | undefined;
  tagId?: number | undefined;
  language?: PostLanguage | undefined;
}

/** Where a search begins, and when it ends. */
export interface SearchBounds {
  /** Only posts with smaller ids. */
  below: number;
  /** How many posts are counted at most. */
  most: number;
  /** How many ids are wanted. With so many, the search goes on for a moment only, to count. */
  enough: number;
}

export interface FoundIds {
  /** Newest first. As many as are wanted, if there are so many, and at most as many as are counted. */
  ids: number[];
  /** How many posts there are. Some that were removed within the last minutes may be among them. */
  count: number;
  /** Posts with smaller ids were not searched: there are enough, or it took too long. 0 if all were. */
  searchedFrom: number;
}

/** A post with the beginning of its HTML, in which a page shows the words that were searched for. */
export interface FoundPost extends PostSummary {
  html: string | undefined;
}

export interface SearchReads {
  /** Searches published posts from the newest to older ones. Throws `ReadTooSlow` if even the newest take too long. */
  postIdsWith(query: PostQuery, bounds: SearchBounds): Promise<FoundIds>;
  /** Whether posts can have other words that begin like this one. PostgreSQL doesn't know it and says yes. */
  canBeBeginning(word: string): Promise<boolean>;
  /** The published ones of these posts, in no order, with their popularity. */
  popularityOf(ids: readonly number[]): Promise<{ id: number; popularity: number }[]>;
  /** The published ones of these posts, in the order of the ids. */
  postsByIds(ids: readonly number[]): Promise<FoundPost[]>;
}
