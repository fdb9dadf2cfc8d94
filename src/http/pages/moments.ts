// Moments and counts in words, in each language. Times of day are in the site's local time, UTC+8 (spec §8).

import { html } from 'hono/html';
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../../lib/clock.ts';
import { lazily, memoize } from '../../lib/remember.ts';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';

/** Say how long ago a moment was, or how far off it is: "2 hours ago", "yesterday", "in 88 days". */
export function ago(moment: Timestamp, now: Timestamp, language: Language): string {
  const distance = moment - now;
  const { unit, length } = UNITS.find(({ least }) => Math.abs(distance) >= least) ?? {};
  if (unit === undefined || length === undefined) return justNow[language];
  // A future distance is rounded: 30 days less a second is shown as 30 days.
  const count = distance < 0 ? Math.trunc(distance / length) : Math.round(distance / length);
  return distances[language][unit](count);
}

/** Name the day: "21 Nov 2026". */
export function dayOf(moment: Timestamp, language: Language): string {
  return days[language]().format(moment);
}

/** Write the time of day to the second: "14:03:07". */
export function clockTimeOf(moment: Timestamp): string {
  return clockTimes().format(moment);
}

/** Mark up how long ago a moment was, with the exact moment for programs and as a tooltip. */
export function agoElement(moment: Timestamp, now: Timestamp, language: Language): Html {
  return timeElement(moment, ago(moment, now, language), language);
}

/** Mark up the day, with the exact moment for programs and as a tooltip. */
export function dayElement(moment: Timestamp, language: Language): Html {
  return timeElement(moment, dayOf(moment, language), language);
}

/** Name the day and the minute: "21 November 2026 at 14:03". */
export function minuteOf(moment: Timestamp, language: Language): string {
  return minutes[language](Math.floor(moment / MINUTE));
}

/** Write a count with separators: "12,345". */
export function countOf(count: number): string {
  // Most counts are small, and need no separators.
  return count < 1000 ? String(count) : counts().format(count);
}

function timeElement(moment: Timestamp, text: string, language: Language): Html {
  // Readers don't need milliseconds.
  const iso = new Date(Math.floor(moment / SECOND) * SECOND).toISOString().replace('.000', '');
  return html`<time datetime="${iso}" title="${minuteOf(moment, language)} (UTC+8)">${text}</time>`;
}

// Each unit is used from its least distance on. Days go up to 99, since people count that far in days.
const UNITS = [
  { unit: 'year', least: 365 * DAY, length: 365 * DAY },
  { unit: 'month', least: 100 * DAY, length: 30 * DAY },
  { unit: 'day', least: DAY, length: DAY },
  { unit: 'hour', least: HOUR, length: HOUR },
  { unit: 'minute', least: MINUTE, length: MINUTE },
] as const;

// POSIX names of time zones have the opposite sign: this one is ahead of UTC.
const timeZone = 'Etc/GMT-8';

// The tags that the formatters understand. "en" alone would mean American dates.
const ENGLISH = 'en-GB';
const CHINESE = 'zh-Hans';

const justNow = bilingual('just now', '刚刚');

// Created for the first page that needs them: the language data takes tens of milliseconds to load.
const distances = bilingual(distancesIn(ENGLISH), distancesIn(CHINESE));

const days = bilingual(
  lazily(() => new Intl.DateTimeFormat(ENGLISH, { dateStyle: 'medium', timeZone })),
  lazily(() => new Intl.DateTimeFormat(CHINESE, { dateStyle: 'medium', timeZone })),
);

const minutes = bilingual(minutesIn(ENGLISH), minutesIn(CHINESE));

// Pages show the same distances and minutes again and again, and formatting takes longer than the rest of a line.
function distancesIn(locale: string): Record<(typeof UNITS)[number]['unit'], (count: number) => string> {
  const formatter = lazily(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const inUnit = (unit: Intl.RelativeTimeFormatUnit) =>
    memoize((count: number) => formatter().format(count, unit), 1000);
  return {
    year: inUnit('year'),
    month: inUnit('month'),
    day: inUnit('day'),
    hour: inUnit('hour'),
    minute: inUnit('minute'),
  };
}

function minutesIn(locale: string): (minute: number) => string {
  const formatter = lazily(
    () => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }),
  );
  return memoize((minute: number) => formatter().format(minute * MINUTE), 1000);
}

// Times of day and counts look the same in both languages.
const clockTimes = lazily(() => new Intl.DateTimeFormat(ENGLISH, { timeStyle: 'medium', timeZone }));
const counts = lazily(() => new Intl.NumberFormat(ENGLISH));
