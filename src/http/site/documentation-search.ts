// The search of the documentation: sections in which all words of a query occur. The texts are short and in memory,
// so a query reads all of them.

import type { Chapter, Section } from './chapters.ts';
import { wordsOf } from './marked.ts';

export const MOST_SEARCHED = 100;
export const MOST_FOUND = 30;

const SNIPPET_BEFORE = 60;
const SNIPPET_LENGTH = 200;

/** A section that was found. */
export interface FoundSection {
  chapter: Chapter;
  section: Section;
  /** The text around the first word. */
  snippet: string;
}

/** Find the sections, those with the words in the heading first. */
export function foundSections(chapters: readonly Chapter[], query: string): FoundSection[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return chapters
    .flatMap((chapter) =>
      chapter.sections().map((section) => {
        const heading = `${chapter.title} ${section.heading}`.toLowerCase();
        const text = `${heading} ${section.text.toLowerCase()}`;
        const isFound = words.every((word) => text.includes(word));
        const inHeading = words.filter((word) => heading.includes(word)).length;
        return { chapter, section, inHeading, isFound };
      }),
    )
    .filter(({ isFound }) => isFound)
    .sort((a, b) => b.inHeading - a.inHeading)
    .map(({ chapter, section }) => ({ chapter, section, snippet: snippetOf(section.text, words) }));
}

function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first < SNIPPET_BEFORE ? 0 : startOfWord(text, first - SNIPPET_BEFORE, first);
  const end = start + SNIPPET_LENGTH;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

// Chinese has few spaces: a snippet then begins with any character.
function startOfWord(text: string, from: number, last: number): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= last ? from : space + 1;
}
