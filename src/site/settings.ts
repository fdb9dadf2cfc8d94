// The settings that operators change on a page, and which values they can have.

import { SIGN_UP_MODES } from '../identity/sign-up.ts';
import { normalForm } from '../lib/normal-form.ts';
import { hasHiddenCharacters } from '../lib/one-line.ts';

/** Reads the text of a setting. Returns undefined for a text that the setting can't have. */
type Reader<T> = (text: string) => T | undefined;

const READERS = {
  name: line(1, 60),
  /** What the community is about. Empty if nobody has written it. */
  sentence: line(0, 160),
  /** Who can create an account. */
  signUp: oneOf(SIGN_UP_MODES),
} satisfies Record<string, Reader<unknown>>;

export type SettingName = keyof typeof READERS;

/** The settings that operators change on a page. */
export type SiteSettings = { [K in SettingName]: NonNullable<ReturnType<(typeof READERS)[K]>> };

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
