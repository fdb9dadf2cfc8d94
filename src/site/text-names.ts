// The names and languages of the texts that operators write.

/** The pages that operators write, each at its own path. */
export const WRITTEN_PAGES = ['rules', 'about', 'privacy', 'terms'] as const;
export type WrittenPage = (typeof WRITTEN_PAGES)[number];

/** All texts. `home` is above the newest posts, for visitors. `announcement` is beside the lists of posts. */
export const TEXT_NAMES = ['home', 'announcement', ...WRITTEN_PAGES] as const;
export type TextName = (typeof TEXT_NAMES)[number];

export const TEXT_LANGUAGES = ['en', 'zh'] as const;
export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** Markdown in each language. Empty where nothing is written. */
export type Texts = Record<TextLanguage, string>;

/** Which languages are written, as the setting of the text's name says it. */
export const WRITTEN_LANGUAGES = ['', 'en', 'zh', 'en zh'] as const;

/** List the pages that are written in some language. */
export function writtenPages(settings: Readonly<Record<WrittenPage, string>>): readonly WrittenPage[] {
  return WRITTEN_PAGES.filter((name) => settings[name] !== '');
}
