// Parts that several mails share: moments, and names that must not become links.

import type { Timestamp } from '../../../lib/clock.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { clockTimeOf, dayOf, offsetOf } from '../../pages/moments.ts';

/** Write a moment: "21 Nov 2026, 14:03:07 (UTC+8)". */
export function momentOf(moment: Timestamp, locale: Locale): string {
  const [day, time] = [dayOf(moment, locale), clockTimeOf(moment, locale)];
  return `${day}${comma[locale.language]} ${time} (${offsetOf(moment, locale)})`;
}

const comma = bilingual(',', '');

// Mail programs make links of words with dots, and of addresses. A word joiner, which is invisible, keeps a name or a
// text from being one. Browsers take four signs for the dot of a host.
export function unlinked(text: string): string {
  return text.replaceAll(/[.\u3002\uff0e\uff61]/g, '$&\u2060').replaceAll('://', ':\u2060//');
}
