// The languages of the pages, and how a page's language is chosen.

export type Language = 'en' | 'zh';

/** How a visitor reads moments. */
export interface Locale {
  language: Language;
  /** An IANA name, such as Asia/Shanghai. */
  timeZone: string;
}

/** Words in each language, side by side where they are used. A missing word is a compile error. */
export type Bilingual<T> = Record<Language, T>;

/** Pair English words with Chinese words of the same shape. */
export function bilingual<T>(en: T, zh: NoInfer<T>): Bilingual<T> {
  return { en, zh };
}

/** The part of a list of languages that is read, in characters. Browsers send a tenth of it. */
export const LONGEST_LIST = 1000;

/**
 * Return the language that the visitor chose, else the one that the browser prefers, else the last resort.
 */
export function chooseLanguage(
  choice: string | undefined,
  acceptLanguage: string | undefined,
  lastResort: Language = 'en',
): Language {
  if (choice === 'en' || choice === 'zh') return choice;
  const preferences = (acceptLanguage ?? '')
    .slice(0, LONGEST_LIST)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.trim().toLowerCase().split(';');
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find((value) => value);
      return { language: tag.split('-')[0], weight: q === undefined ? 1 : Number(q) };
    })
    .sort((a, b) => b.weight - a.weight);
  const preference = preferences.find(
    ({ language, weight }) => weight > 0 && (language === 'en' || language === 'zh'),
  );
  return (preference?.language as Language | undefined) ?? lastResort;
}

/** The language's own tag, for `lang` attributes and `Content-Language`. */
export const LANGUAGE_TAGS: Bilingual<string> = { en: 'en', zh: 'zh-Hans' };

/** The languages' own names. */
export const LANGUAGE_NAMES: Bilingual<string> = { en: 'English', zh: '中文' };
