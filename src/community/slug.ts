// The readable part of an address: the letters and digits of a name, of whatever script, joined by hyphens.

const MOST_CHARACTERS = 60;

/** The words of a text in lower case, joined by hyphens. Empty if it has neither letters nor digits. */
export function hyphenated(text: string): string {
  return wordsOf(text).join('-');
}

/** As many whole words of a title as make a short address; of a first word that is longer, its beginning. */
export function slugOfTitle(title: string): string {
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
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
