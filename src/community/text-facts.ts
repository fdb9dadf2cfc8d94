// What lists tell about a post, computed from its text when the text is saved or rendered again.

import { excerptOfOpening } from './excerpt.ts';
import { languageOf, minutesToRead, type PostLanguage } from './post-language.ts';

export interface TextFacts {
  /** Plain text. */
  excerpt: string;
  language: PostLanguage;
  readingMinutes: number;
}

/** Compute them. `opening` is what `openingOf` extracts from the text. */
export function factsOf(body: string, opening: string): TextFacts {
  return {
    excerpt: excerptOfOpening(opening),
    language: languageOf(opening),
    readingMinutes: minutesToRead(body),
  };
}
