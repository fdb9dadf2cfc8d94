// The settings that operators change on a page, and which values they can have.

import { SIGN_UP_MODES } from '../identity/sign-up.ts';
import { normalForm } from '../lib/normal-form.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { readTimeZone } from '../lib/time-zone.ts';
import { readContact } from './contact.ts';
import { readLinks } from './links.ts';
import { TEXT_LANGUAGES, WRITTEN_LANGUAGES } from './text-names.ts';

/** Who can read the site: everyone, or members only. */
export const READING_MODES = ['everyone', 'members'] as const;

/** Reads the text of a setting. Returns undefined for a text that the setting can't have. */
type Reader<T> = (text: string) => T | undefined;

const READERS = {
  name: line(1, 60),
  /** What the community is about. Empty if nobody has written it. */
  sentence: line(0, 160),
  /** Where members reach the operators, as in `site/contact.ts`. Empty if there is no such address. */
  contact: (text) => (text.trim() === '' ? '' : readContact(text)),
  /** Links in the footer, as in `site/links.ts`. */
  links: readLinks,
  /** Who can create an account. */
  signUp: oneOf(SIGN_UP_MODES),
  /** The language of visitors who chose none and whose browser prefers neither. */
  language: oneOf(TEXT_LANGUAGES),
  /** Who can read the site. */
  reading: oneOf(READING_MODES),
  /** The time zone of the pages and mails, an IANA name. */
  timeZone: readTimeZone,
  /** What the operators have done of the first steps, as far as nothing else shows it. */
  mailTested: oneOf(['no', 'yes']),
  backedUp: oneOf(['no', 'yes']),
  /** Whether the list of first steps is shown. */
  firstSteps: oneOf(['shown', 'dismissed']),
  /** The languages in which the operators have written each text. Saved together with the text. */
  home: oneOf(WRITTEN_LANGUAGES),
  rules: oneOf(WRITTEN_LANGUAGES),
  about: oneOf(WRITTEN_LANGUAGES),
  privacy: oneOf(WRITTEN_LANGUAGES),
  terms: oneOf(WRITTEN_LANGUAGES),
} satisfies Record<string, Reader<unknown>>;

export type SettingName = keyof typeof READERS;

/** The settings that operators change on a page. */
export type SiteSettings = { [K in SettingName]: NonNullable<ReturnType<(typeof READERS)[K]>> };

/** What holds until an operator sets it, unless the environment says otherwise. */
export const DEFAULT_SETTINGS: SiteSettings = {
  name: 'Portico',
  sentence: '',
  contact: '',
  links: '',
  signUp: 'open',
  language: 'en',
  reading: 'everyone',
  timeZone: 'Asia/Shanghai',
  mailTested: 'no',
  backedUp: 'no',
  firstSteps: 'shown',
  home: '',
  rules: '',
  about: '',
  privacy: '',
  terms: '',
};

export const SETTING_NAMES = Object.keys(READERS) as SettingName[];

/** Read the text of a setting. Undefined if there is none, or if the setting can't have it. */
export function readSetting(
  name: SettingName,
  text: string | undefined,
): SiteSettings[SettingName] | undefined {
  return text === undefined ? undefined : READERS[name](text);
}

function line(least: number, most: number): Reader<string> {
  return (text) => {
    const value = normalForm(text, 'NFC').trim();
    const { length } = [...value];
    return length >= least && length <= most && !hasHiddenCharacters(value) ? value : undefined;
  };
}

function oneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return (text) => choices.find((choice) => choice === text);
}
