// The settings that operators change on a page, and which values they can have.

import { mailDomainIn } from '../identity/guest-rules.ts';
import { FACTOR_MODES } from '../identity/required-factor.ts';
import { SIGN_UP_MODES } from '../identity/sign-up.ts';
import { isNetwork } from '../lib/network.ts';
import { normalForm } from '../lib/normal-form.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';
import { readTimeZone } from '../lib/time-zone.ts';
import { readAccent } from './accent.ts';
import { readContact } from './contact.ts';
import { readLinks } from './links.ts';
import { TEXT_LANGUAGES, WRITTEN_LANGUAGES } from './text-names.ts';

/** Who can read the site: everyone, or members only. */
export const READING_MODES = ['everyone', 'members'] as const;

/** Who can register applications: every member, every member with the operators' approval, or operators alone. */
export const REGISTRATION_MODES = ['open', 'approval', 'operators'] as const;

/** Whether applications that describe themselves are accepted without being registered. */
export const DOCUMENT_MODES = ['accepted', 'refused'] as const;

/** Which posts and comments wait for approval: none, or the first ones of each member. */
export const APPROVAL_MODES = ['off', 'newcomers'] as const;

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
  /** The accent colour, as in `site/accent.ts`. Empty: the standard one. */
  accent: readAccent,
  /** The version of the logo. Empty if there is none. Saved together with the picture. */
  logo: (text) => (/^(?:[0-9a-f]{12})?$/.test(text) ? text : undefined),
  /** Who can create an account. */
  signUp: oneOf(SIGN_UP_MODES),
  /** Who needs a second factor, as in `identity/required-factor.ts`. */
  secondFactor: oneOf(FACTOR_MODES),
  /** The language of visitors who chose none and whose browser prefers neither. */
  language: oneOf(TEXT_LANGUAGES),
  /** Who can read the site. */
  reading: oneOf(READING_MODES),
  /** Who can register applications. */
  applications: oneOf(REGISTRATION_MODES),
  /** Whether applications that describe themselves are accepted, as far as members can register some. */
  documents: oneOf(DOCUMENT_MODES),
  /** The time zone of the pages and mails, an IANA name. */
  timeZone: readTimeZone,
  /** What the operators have done of the first steps, as far as nothing else shows it. */
  mailTested: oneOf(['no', 'yes']),
  backedUp: oneOf(['no', 'yes']),
  /** Whether the list of first steps is shown. */
  firstSteps: oneOf(['shown', 'dismissed']),
  /** The languages in which the operators have written each text. Saved together with the text. */
  home: oneOf(WRITTEN_LANGUAGES),
  announcement: oneOf(WRITTEN_LANGUAGES),
  rules: oneOf(WRITTEN_LANGUAGES),
  about: oneOf(WRITTEN_LANGUAGES),
  privacy: oneOf(WRITTEN_LANGUAGES),
  terms: oneOf(WRITTEN_LANGUAGES),
  /** From one network address, without an invitation. */
  signUpsPerHour: wholeNumber(1, 10_000),
  /** Beside those that are always reserved. One a line. */
  reservedNames: lines(line(1, 60)),
  /** One a line. */
  blockedMailDomains: lines(mailDomainIn),
  /** Addresses and ranges, one a line. */
  blockedNetworks: lines((text) => (isNetwork(text) ? text.toLowerCase() : undefined)),
  /** Whether the first posts and comments of a member wait until an operator approves them. */
  approval: oneOf(APPROVAL_MODES),
  /** How many of a member's posts and comments have been published before the next ones needn't wait. */
  textsToApprove: wholeNumber(1, 100),
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
  accent: '',
  logo: '',
  signUp: 'open',
  secondFactor: 'operators',
  language: 'en',
  reading: 'everyone',
  applications: 'open',
  documents: 'accepted',
  timeZone: 'Asia/Shanghai',
  signUpsPerHour: 5,
  reservedNames: '',
  blockedMailDomains: '',
  blockedNetworks: '',
  approval: 'off',
  textsToApprove: 1,
  mailTested: 'no',
  backedUp: 'no',
  firstSteps: 'shown',
  home: '',
  announcement: '',
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

function wholeNumber(least: number, most: number): Reader<number> {
  return (text) => {
    const number = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  };
}

/** Return the lines of a text, without blanks and empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

const MOST_LINES = 1000;

function lines(reader: Reader<string>): Reader<string> {
  return (text) => {
    const values = linesOf(text).map(reader);
    const isValid = values.length <= MOST_LINES && values.every((value) => value !== undefined);
    return isValid ? [...new Set(values)].join('\n') : undefined;
  };
}
