// The search for posts by the words in them.

import { phrasesOf, searchWords } from '../lib/words.ts';
import type { Community } from './community.ts';
import type { PostSummary } from './post-store.ts';

export const MOST_QUERY_CHARACTERS = 200;
const MOST_PHRASES = 12;
// In scripts without spaces, each character is a word.
const MOST_WORDS = 24;
// The search index holds only the beginning of a longer post.
const MOST_CHARACTERS = 20_000;

/** The words of a post for the search index. */
export function wordsOfPost(title: string, body: string): string {
  return searchWords(`${title} ${body}`.slice(0, MOST_CHARACTERS));
}

/** Published posts that contain all words of a query, newest first, with ids below `below`. */
export async function searchPosts(
  community: Community,
  query: string,
  limit: number,
  below: number = Number.MAX_SAFE_INTEGER,
): Promise<PostSummary[]> {
  let words = 0;
  const phrases = phrasesOf(query.slice(0, MOST_QUERY_CHARACTERS))
    .slice(0, MOST_PHRASES)
    .map((phrase) => {
      const rest = phrase.slice(0, Math.max(0, MOST_WORDS - words));
      words += rest.length;
      return rest;
    })
    .filter((phrase) => phrase.length > 0);
  return phrases.length === 0 ? [] : community.reads.postsWith(phrases, below, limit);
}
