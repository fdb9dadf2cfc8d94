// Moments and counts in words, per language. Clock times are the site's own, UTC+8 (spec §8).

import { html } from 'hono/html';
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../lib/clock.ts';
import { remembering } from '../lib/remember.ts';
import { type Bilingual, bilingual, LANGUAGE_TAGS, type Language } from './language.ts';
import type { Html } from './page.ts';

// The sign is turned round in this database's names: this one is eight hours ahead of UTC.
const timeZone = 'Etc/GMT-8';

/** How long ago, or in how long: "2 hours ago", "yesterday", "in 88 days". */
export function ago(moment: Timestamp, now: Timestamp, language: Language): string {
  const distance = moment - now;
  const [unit, , length] = UNITS.find(([, least]) => Math.abs(distance) >= least) ?? NOW;
  // "now" is what a clock says; a person says "just now". What is to come is rounded: 30 days less a second are 30 days.
  if (unit === 'second') return JUST_NOW[language];
  return relative(language).format(
    distance < 0 ? Math.trunc(distance / length) : Math.round(distance / length),
    unit,
  );
}

/** The day: "21 Nov 2026". */
export function dayOf(moment: Timestamp, language: Language): string {
  return days(language).format(moment);
}

/** The time of day to the second: "14:03:07". */
export function clockTimeOf(moment: Timestamp): string {
  return clockTimes('en').format(moment);
}

/** How long ago, with the exact moment for programs and for whoever points at it. */
export function agoElement(moment: Timestamp, now: Timestamp, language: Language): Html {
  return timeElement(moment, ago(moment, now, language), language);
}

/** The day, with the exact moment for programs and for whoever points at it. */
export function dayElement(moment: Timestamp, language: Language): Html {
  return timeElement(moment, dayOf(moment, language), language);
}

/** A count with the separators of the language. */
export function countOf(count: number, language: Language): string {
  // Below a thousand there is nothing to separate.
  return count < 1000 ? `${count}` : counts(language).format(count);
}

// The unit, the least distance that it is used for, and its length. Days go on for as long as people count in them.
const UNITS: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ['year', 365 * DAY, 365 * DAY],
  ['month', 100 * DAY, 30 * DAY],
  ['day', DAY, DAY],
  ['hour', HOUR, HOUR],
  ['minute', MINUTE, MINUTE],
];
const JUST_NOW = bilingual('just now', '刚刚');
const NOW: (typeof UNITS)[number] = ['second', 0, MINUTE];

// Making a formatter costs far more than using it, and some megabytes: each is made when it is first used, and kept.
const relative = each((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const days = each((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone }));
// Formatting takes longer than all else that a list says of a post, and the newest posts are shown again and again.
const exactMinutes = each((tag) => {
  const exact = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return remembering((minute: number) => exact.format(minute * MINUTE), 1000);
});
const counts = each((tag) => new Intl.NumberFormat(tag));
const clockTimes = each((tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone }));

function each<T>(make: (tag: string) => T): (language: Language) => T {
  const made: Partial<Bilingual<T>> = {};
  return (language) => {
    made[language] ??= make(language === 'en' ? 'en-GB' : LANGUAGE_TAGS[language]);
    return made[language];
  };
}

function timeElement(moment: Timestamp, text: string, language: Language): Html {
  // To the second: nobody reads milliseconds.
  const iso = new Date(Math.floor(moment / SECOND) * SECOND).toISOString().replace('.000', '');
  const exactly = exactMinutes(language)(Math.floor(moment / MINUTE));
  return html`<time datetime="${iso}" title="${exactly} (UTC+8)">${text}</time>`;
}
