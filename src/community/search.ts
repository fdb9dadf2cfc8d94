// The search for posts by the words in them.

import { phrasesOf, searchWords } from '../lib/words.ts';
import type { Community } from './community.ts';
import type { PostSummary } from './post-store.ts';

export const MOST_QUERY_CHARACTERS = 200;
// The database compares the positions of all words of a query, in every post that has all of them. In scripts
// without spaces, each character is a word.
const MOST_WORDS = 12;
const MOST_WORDS_OF_PHRASE = 8;
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
  const phrases = boundedPhrases(query.slice(0, MOST_QUERY_CHARACTERS));
  return phrases.length === 0 ? [] : community.reads.postsWith(phrases, below, limit);
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
