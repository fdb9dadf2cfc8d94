// The language of a post and the time that it takes to read, as far as the text itself tells them.

/** Lists can be limited to one of them. */
export const POST_LANGUAGES = ['en', 'zh', 'other'] as const;
export type PostLanguage = (typeof POST_LANGUAGES)[number];

// A Chinese text with English names has more Latin letters than a reader would guess.
const LETTERS_PER_SIGN = 4;
// Japanese is written with Chinese signs too, but never without kana.
const LEAST_KANA = 0.05;
// A quarter of an English text, and of other languages next to nothing.
const ENGLISH =
  /^(?:the|of|and|to|that|it|for|was|are|is|with|this|have|has|from|you|not|but|be|my|we|they|i)$/;
const LEAST_ENGLISH = 0.1;
// The same for other languages that are written with Latin letters.
const OTHERS =
  /^(?:der|die|das|und|ist|nicht|le|la|les|et|est|des|une|el|los|que|por|de|del|di|il|che|een|het|van|och|det|som)$/;
const LEAST_OTHER = 0.05;

/** Guess the language of a text from its script, and English from its most frequent words. */
export function languageOf(text: string): PostLanguage {
  const signs = countOf(text, /\p{Script=Han}/gu);
  const kana = countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const latin = countOf(text, /\p{Script=Latin}/gu);
  const letters = countOf(text, /\p{L}/gu);
  if (signs > 0 && LETTERS_PER_SIGN * signs >= letters - signs) {
    return kana > LEAST_KANA * signs ? 'other' : 'zh';
  }
  return latin > letters / 2 && isEnglish(text) ? 'en' : 'other';
}

// A list of short notes has few frequent words in any language. Without accents it is taken for English.
function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  const share = (pattern: RegExp) => words.filter((word) => pattern.test(word)).length / words.length;
  return share(ENGLISH) >= LEAST_ENGLISH || (share(OTHERS) < LEAST_OTHER && share(/[^a-z]/) === 0);
}

const WORDS_A_MINUTE = 230;
const SIGNS_A_MINUTE = 390;
const SIGN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Estimate how many minutes it takes to read a Markdown text, at least one. */
export function minutesToRead(markdown: string): number {
  const text = markdown.replaceAll(/\bhttps?:\S+/g, '');
  const words = countOf(text.replaceAll(SIGN, ' '), /[\p{L}\p{M}\p{N}'’]+/gu);
  return Math.max(1, Math.round(words / WORDS_A_MINUTE + countOf(text, SIGN) / SIGNS_A_MINUTE));
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
