// The search for posts by the words in them.

import { phrasesOf, searchWords } from '../lib/words.ts';
import type { Community } from './community.ts';
import type { FoundIds, FoundPost, PostQuery, SearchBounds } from './search-store.ts';

export type { FoundPost } from './search-store.ts';

export const MOST_QUERY_CHARACTERS = 200;
// More posts are not counted: nobody reads them all, and counting takes longer than to find a page of them.
const MOST_COUNTED = 100;
// As many of the newest are sorted by popularity.
const MOST_SORTED = 1000;
export const SEARCH_PAGE_SIZE = 20;
// The database compares the positions of all words of a query, in every post that has all of them. In scripts
// without spaces, each character is a word.
const MOST_WORDS = 12;
const MOST_WORDS_OF_PHRASE = 8;
// The search index holds only the beginning of a longer post.
const MOST_CHARACTERS = 20_000;
// Shorter beginnings stand for too many words.
const SHORTEST_BEGINNING = 3;

/** The words of a post for the search index. */
export function wordsOfPost(title: string, body: string): string {
  return searchWords(`${title} ${body}`.slice(0, MOST_CHARACTERS));
}

/** What a reader searches for. */
export interface Search extends Omit<PostQuery, 'phrases'> {
  text: string;
  order: 'new' | 'popular';
  /** Continues after a page of the newest posts. */
  below?: number | undefined;
  /** Continues on this page of the popular posts, counted from 0. */
  page?: number;
}

export interface SearchResult {
  posts: FoundPost[];
  phrases: readonly (readonly string[])[];
  /** Whether the last word was completed. A short one isn't, even if that was asked for. */
  isCompleted: boolean;
  /** How many posts there are, as far as they were searched and up to a limit. Undefined on later pages. */
  count: number | undefined;
  /** Whether not all posts were searched, so there can be more than were counted. */
  isCountCut: boolean;
  /** Whether there are more posts than the limit. */
  isCountFull: boolean;
  /** Where the next page of the newest posts continues. */
  next: number | undefined;
  /** Whether the next page begins with posts that were not searched. */
  isNextUnsearched: boolean;
  hasNextPage: boolean;
}

/** Find the published posts that contain all words of a text. Undefined if it has no words. */
export async function searchPosts(community: Community, search: Search): Promise<SearchResult | undefined> {
  const phrases = boundedPhrases(search.text.slice(0, MOST_QUERY_CHARACTERS));
  if (phrases.length === 0) return undefined;
  const { order, below, page = 0 } = search;
  const isBeginning = below === undefined && page === 0;
  const isSorted = order === 'popular';
  const limit = isSorted ? MOST_SORTED : below === undefined ? MOST_COUNTED : SEARCH_PAGE_SIZE;
  const bounds = {
    below: below ?? Number.MAX_SAFE_INTEGER,
    most: limit + 1,
    enough: isSorted ? MOST_SORTED : SEARCH_PAGE_SIZE + 1,
  };
  const query = { ...search, phrases, isCompleted: search.isCompleted === true && canComplete(phrases) };
  const { found, isCompleted } = await findIds(community, query, bounds, isBeginning);
  const counted = found.ids.slice(0, limit);
  const start = isSorted ? page * SEARCH_PAGE_SIZE : 0;
  const sorted = isSorted ? await mostPopularFirst(community, counted) : counted;
  const shown = sorted.slice(start, start + SEARCH_PAGE_SIZE);
  const isFull = found.ids.length > SEARCH_PAGE_SIZE;
  const after = isFull ? shown.at(-1) : found.searchedFrom || undefined;
  return {
    posts: await community.reads.postsByIds(shown),
    phrases,
    isCompleted,
    count: below === undefined ? Math.min(found.count, limit) : undefined,
    isCountCut: found.searchedFrom > 0,
    isCountFull: found.count > limit,
    next: isSorted ? undefined : after,
    isNextUnsearched: !isFull,
    hasNextPage: isSorted && sorted.length > start + SEARCH_PAGE_SIZE,
  };
}

// Whole words first: someone who searches for "bread" has no use for "breadth". If they are in few posts, the last one
// may be half of a word.
async function findIds(
  { reads }: Community,
  query: PostQuery,
  bounds: SearchBounds,
  isBeginning: boolean,
): Promise<{ found: FoundIds; isCompleted: boolean }> {
  const { isCompleted = false } = query;
  const found = await reads.postIdsWith(query, bounds);
  const isEnough = found.ids.length >= SEARCH_PAGE_SIZE || found.searchedFrom > 0;
  if (isCompleted || isEnough || !isBeginning || !canComplete(query.phrases)) return { found, isCompleted };
  if (!(await reads.canBeBeginning(query.phrases.at(-1)?.[0] ?? ''))) return { found, isCompleted };
  const completed = await reads.postIdsWith({ ...query, isCompleted: true }, bounds);
  return completed.ids.length > found.ids.length
    ? { found: completed, isCompleted: true }
    : { found, isCompleted: false };
}

function canComplete(phrases: PostQuery['phrases']): boolean {
  const last = phrases.at(-1) ?? [];
  return last.length === 1 && [...(last[0] ?? '')].length >= SHORTEST_BEGINNING;
}

async function mostPopularFirst({ reads }: Community, ids: readonly number[]): Promise<number[]> {
  const posts = await reads.popularityOf(ids);
  return posts.sort((a, b) => b.popularity - a.popularity || b.id - a.id).map(({ id }) => id);
}

// A longer phrase becomes several, so a post that contains it is still found.
function boundedPhrases(query: string): string[][] {
  const phrases: string[][] = [];
  let left = MOST_WORDS;
  for (const phrase of phrasesOf(query)) {
    const words = phrase.slice(0, left);
    left -= words.length;
    for (let at = 0; at < words.length; at += MOST_WORDS_OF_PHRASE) {
      phrases.push(words.slice(at, at + MOST_WORDS_OF_PHRASE));
    }
  }
  return phrases;
}
