// The site: the settings of the machine, and those that operators change.

import type { Doer } from '../audit/doer.ts';
import { type Awaitable, andThen } from '../lib/awaitable.ts';
import type { Clock } from '../lib/clock.ts';
import { memoizeByRecord } from '../lib/remember.ts';
import type { DrawingReads, DrawingWrites } from './drawing-store.ts';
import { readSetting, SETTING_NAMES, type SettingName, type SiteSettings } from './settings.ts';
import type { TextName, Texts } from './text-names.ts';

/** What operators have set, as texts. */
export type StoredSettings = Readonly<Partial<Record<SettingName, string>>>;

export interface SiteReads extends DrawingReads {
  storedSettings(): Awaitable<StoredSettings>;
  texts(name: TextName): Promise<Texts>;
  /** The logo of this version, as PNG. Undefined if there is another one, or none. */
  findLogo(version: string): Promise<Uint8Array | undefined>;
}

export interface SiteWrites extends DrawingWrites {
  /** Saves these settings together. The audit log gets an entry for each. */
  saveSettings(by: Doer, settings: StoredSettings): Promise<void>;
  /** Saves a text, together with the setting of its name that lists its languages. */
  saveTexts(by: Doer, name: TextName, texts: Texts): Promise<void>;
  /** Saves the logo, together with the setting that has its version. */
  saveLogo(by: Doer, version: string, image: Uint8Array): Promise<void>;
  removeLogo(by: Doer): Promise<void>;
}

export interface SiteStore extends SiteReads, SiteWrites {}

export interface Site {
  reads: SiteReads;
  /** Only for the rules in src/site. The HTTP and command-line code must not use it. */
  writes: SiteWrites;
  clock: Clock;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Where to report vulnerabilities: a mailto: or https: address. */
  securityContact: string | undefined;
  /** What holds until an operator sets it. */
  defaults: SiteSettings;
  /** Whether this is a sandbox for developers and no community. Every page says so. */
  isSandbox?: boolean;
}

/** Return the settings that hold now. */
export function settingsOf({ reads, defaults }: Site): Awaitable<SiteSettings> {
  return andThen(reads.storedSettings(), (stored) =>
    settingsByDefaults(defaults, memoizeByRecord<StoredSettings, SiteSettings>)(stored, () => {
      const settings = SETTING_NAMES.map((name) => [name, readSetting(name, stored[name]) ?? defaults[name]]);
      return Object.fromEntries(settings);
    }),
  );
}

// Every page needs the settings, and the cache returns the same record until one changes. The pages of a sandbox have
// other defaults than the rest of its server.
const settingsByDefaults = memoizeByRecord<
  SiteSettings,
  (stored: StoredSettings, make: () => SiteSettings) => SiteSettings
>();

/**
 * Save the settings whose texts differ from those that hold. Returns the names of those that can't have their
 * text. If there is one, nothing is saved.
 */
export async function changeSettings<N extends SettingName>(
  by: Doer,
  site: Site,
  texts: Readonly<Record<N, string>>,
): Promise<N[]> {
  const names = Object.keys(texts) as N[];
  const values = names.map((name) => [name, readSetting(name, texts[name])] as const);
  const refused = values.filter(([, value]) => value === undefined).map(([name]) => name);
  if (refused.length > 0) return refused;
  const current = await settingsOf(site);
  const changed = values.filter(([name, value]) => value !== current[name]);
  const stored = Object.fromEntries(changed.map(([name, value]) => [name, String(value)])) as StoredSettings;
  if (changed.length > 0) await site.writes.saveSettings(by, stored);
  return [];
}
