// The rules about guests, as the operators set them.

import type { GuestRules } from '../identity/guest-rules.ts';
import { type Awaitable, andThen } from '../lib/awaitable.ts';
import { linesOf } from './settings.ts';
import { type Site, settingsOf } from './site.ts';

/** Read the rules from the settings, anew each time. */
export function guestRulesOf(site: Site, brand: string): () => Awaitable<GuestRules> {
  return () =>
    andThen(settingsOf(site), ({ name, ...settings }) => ({
      reservedNames: [name, brand, ...linesOf(settings.reservedNames)],
      blockedMailDomains: linesOf(settings.blockedMailDomains),
      blockedNetworks: linesOf(settings.blockedNetworks),
      signUpsPerHour: settings.signUpsPerHour,
    }));
}
