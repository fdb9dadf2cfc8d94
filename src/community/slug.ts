// Slugs, the readable parts of addresses: letters and digits of any script, joined by hyphens.

import { normalForm } from '../lib/normal-form.ts';
import { BoundedMap } from '../lib/remember.ts';

const MOST_CHARACTERS = 60;

/** The words of a text in lower case, joined by hyphens. Empty if the text has neither letters nor digits. */
export function hyphenated(text: string): string {
  return wordsOf(text).join('-');
}

// In UTF-16 units: a title of 120 characters.
const LONGEST_REMEMBERED = 240;
const slugs = new BoundedMap<string, string>(1000);

/**
 * The first words of a title that fit into a slug. A first word that is too long is cut off. The newest titles are
 * remembered, because a page links to the same posts several times.
 */
export function slugOfTitle(title: string): string {
  const known = slugs.get(title);
  if (known !== undefined) return known;
  const slug = makeSlug(title);
  // A title typed with 300,000 spaces is one too.
  if (title.length <= LONGEST_REMEMBERED) slugs.set(copyOf(title), slug);
  return slug;
}

// V8 keeps the whole text that a title was cut from.
function copyOf(title: string): string {
  return Buffer.from(title, 'utf16le').toString('utf16le');
}

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
