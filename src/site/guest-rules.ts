// The rules about guests, as the operators set them.

import type { GuestRules } from '../identity/guest-rules.ts';
import { type Awaitable, andThen } from '../lib/awaitable.ts';
import { memoizeByRecord } from '../lib/remember.ts';
import { linesOf, type SiteSettings } from './settings.ts';
import { type Site, settingsOf } from './site.ts';

/** Make the function that reads the rules from the settings. They are the same object until a setting changes. */
export function guestRulesOf(site: Site, brand: string): () => Awaitable<GuestRules> {
  const rulesBySettings = memoizeByRecord<SiteSettings, GuestRules>();
  return () =>
    andThen(settingsOf(site), (settings) =>
      rulesBySettings(settings, () => ({
        reservedNames: [settings.name, brand, ...linesOf(settings.reservedNames)],
        blockedMailDomains: linesOf(settings.blockedMailDomains),
        blockedNetworks: linesOf(settings.blockedNetworks),
        signUpsPerHour: settings.signUpsPerHour,
      })),
    );
}
