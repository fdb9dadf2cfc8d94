// Searching posts: the words of each stand beside it in the form in which they are looked for.

import { phrasesOf, searchWords } from '../lib/words.ts';
import type { Community } from './community.ts';
import type { PostSummary } from './post.ts';

export const MOST_QUERY_CHARACTERS = 200;
const MOST_PHRASES = 12;
// Of scripts without spaces each character is one.
const MOST_WORDS = 24;
// Whoever writes more is found by how it begins.
const MOST_CHARACTERS = 20_000;

export interface SearchStore {
  /** The newest published posts that contain every phrase, below a number, newest first. At least one phrase. */
  postsWith(phrases: readonly (readonly string[])[], below: number, limit: number): Promise<PostSummary[]>;
}

/** What a post is found by. */
export function wordsOfPost(title: string, body: string): string {
  return searchWords(`${title} ${body}`.slice(0, MOST_CHARACTERS));
}

/** Published posts that contain all words of a text, newest first. `below` is the number of the last one seen. */
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
