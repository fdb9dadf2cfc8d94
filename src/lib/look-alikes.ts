// Names that readers mistake for each other.

/** What a reader sees: Latin letters without accents, dots, hyphens and case. */
export function looksOf(name: string): string {
  const bare = name.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [...bare].map(letterLike).join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/**
 * Report whether these looks are those of the official name. Letters can be doubled, as in "admiin". They can't be left
 * out: "rot" is not "root".
 */
export function isSimilar(looks: string, official: string): boolean {
  const runs = runsOf(looks);
  const officialRuns = runsOf(official);
  return (
    runs.length === officialRuns.length &&
    officialRuns.every((run, index) => runs[index]?.startsWith(run) === true)
  );
}

/** The runs of equal letters: "r", "oo" and "t". */
function runsOf(text: string): string[] {
  return text.match(/(.)\1*/gu) ?? [];
}

/** Report whether two names differ by one letter that was changed, added or left out, or by two that were swapped. */
export function isOneLetterApart(one: string, other: string): boolean {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [rest, otherRest] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (rest === otherRest) return false;
  const isSwapped = rest.length === 2 && rest === [...otherRest].reverse().join('');
  return isSwapped || (rest.length <= 1 && otherRest.length <= 1);
}

/** Keys for an index: two names that are one letter apart have at least one of them in common. */
export function neighbourKeys(name: string): string[] {
  const letters = [...name];
  return [...new Set([name, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}

/** Report whether Latin letters stand beside those of an alphabet with similar ones. */
export function mixesAlphabets(text: string): boolean {
  return /\p{Script=Latin}/u.test(text) && ALPHABETS_LIKE_LATIN.test(text);
}

const ALPHABETS_LIKE_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

// Latin letters, and for each the characters that look like it: digits, and letters of other scripts. Small letters
// are listed where they look different from their capitals.
const LOOK_ALIKES = {
  a: '4ɑᴀаАαΑаꓮᎪⲀⲁ',
  b: '8ВΒвЬьꓐᏴⲂ',
  c: 'сСϲϹꓚᏟⲤⲥᴄ',
  d: 'ԁꓓᎠᏧⅾ',
  e: '3еЕΕεєꓰᎬⲈ',
  f: 'ꓝϜ',
  g: '9ɡցꓖᏀᏳ',
  h: 'нНΗһհꓧᎻⲎ',
  j: 'јЈϳյꓙᎫ',
  k: 'кКΚκꓗᏦⲔⲕ',
  // i and l are one letter here, like the digit 1.
  l: '1iɩıɪіІΙιӏӀꓲᎥᏞꓡⲒʟԼ',
  m: 'мМΜꓟᎷⲘⲙ',
  n: 'пηΝոռꓠⲚɴ',
  o: '0оОΟοσօՕꓳⲞⲟᴏ',
  p: 'рРΡρꓑᏢⲢⲣ',
  q: 'ԛզ',
  r: 'гꓣᎡᏒⲅ',
  s: '5ѕЅꓢᏕᏚꜱՏ',
  t: '7тТΤτꓔᎢⲦⲧ',
  u: 'υսՍꓴᴜцμ',
  v: 'νѵѴꓦᏙᴠ',
  w: 'ԝԜωɯꓪᎳᏔա',
  x: 'хХΧχꓫⲬⲭ',
  y: 'уУΥγүҮꓬᎩⲨ',
  z: '2ΖꓜᏃⲌ',
};

const LETTER_LIKE = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

function letterLike(character: string): string {
  const small = character.toLowerCase();
  return (
    LETTER_LIKE.get(character) ?? LETTER_LIKE.get(character.toUpperCase()) ?? LETTER_LIKE.get(small) ?? small
  );
}
