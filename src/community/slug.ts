// Slugs, the readable parts of addresses: letters and digits of any script, joined by hyphens.

import { normalForm } from '../lib/normal-form.ts';
import { memoize } from '../lib/remember.ts';

const MOST_CHARACTERS = 60;

/** The words of a text in lower case, joined by hyphens. Empty if the text has neither letters nor digits. */
export function hyphenated(text: string): string {
  return wordsOf(text).join('-');
}

/**
 * The first words of a title that fit into a slug. A first word that is too long is cut off. The newest titles are
 * remembered, because a page links to the same posts several times: pass no long text.
 */
export const slugOfTitle = memoize(makeSlug, 1000);

function makeSlug(title: string): string {
  // "Bob's" is one word.
  const words = wordsOf(title.replace(/(?<=\p{L})['’](?=\p{L})/gu, ''));
  let slug = [...(words.shift() ?? '')].slice(0, MOST_CHARACTERS).join('');
  for (const word of words) {
    const longer = `${slug}-${word}`;
    if ([...longer].length > MOST_CHARACTERS) break;
    slug = longer;
  }
  return slug;
}

function wordsOf(text: string): string[] {
  return (
    normalForm(text, 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
