// Moments and counts in words, in each language. Days and times of day are in the time zone that the operators chose;
// the API's are in UTC+8 (spec §8).

import { html } from 'hono/html';
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../../lib/clock.ts';
import { lazily, memoize } from '../../lib/remember.ts';
import { bilingual, type Language, type Locale } from './language.ts';
import type { Html } from './page.ts';

/**
 * Say how long ago a moment was, or how far off it is: "2 hours ago", "yesterday", "in 88 days". Days and years are
 * those of the calendar, so that "yesterday" is never the day before yesterday.
 */
export function ago(moment: Timestamp, now: Timestamp, { language, timeZone }: Locale): string {
  const distance = moment - now;
  const unit = UNITS.find(({ least }) => Math.abs(distance) >= least)?.unit;
  if (unit === undefined) return justNow[language];
  if (unit === 'minute' || unit === 'hour' || unit === 'month') {
    const count = distance / LENGTHS[unit];
    // A future distance is rounded: an hour less a second is shown as 60 minutes.
    return distances[language][unit](distance < 0 ? Math.trunc(count) : Math.round(count));
  }
  const [then, today] = [moment, now].map((time) => dates(timeZone)(Math.floor(time / MINUTE))) as [
    string,
    string,
  ];
  const count = unit === 'year' ? yearOf(then) - yearOf(today) : (Date.parse(then) - Date.parse(today)) / DAY;
  return distances[language][unit](count);
}

/** Name the day: "21 Nov 2026". */
export function dayOf(moment: Timestamp, { language, timeZone }: Locale): string {
  return days[language](timeZone)(Math.floor(moment / QUARTER));
}

/** Write the time of day to the second: "14:03:07". */
export function clockTimeOf(moment: Timestamp, { timeZone }: Locale): string {
  return clockTimes(timeZone).format(moment);
}

/** Write the distance from UTC at a moment, which daylight saving time changes: "UTC+8", "UTC-3:30". */
export function offsetOf(moment: Timestamp, { timeZone }: Locale): string {
  return offsets(timeZone)(Math.floor(moment / MINUTE));
}

/**
 * Mark up how long ago a moment was, with the exact moment for programs and as a tooltip. `property` is the microformat
 * that the moment is.
 */
export function agoElement(moment: Timestamp, now: Timestamp, locale: Locale, property?: DateProperty): Html {
  return timeElement(moment, ago(moment, now, locale), locale, property);
}

/** Mark up the day, with the exact moment for programs and as a tooltip. */
export function dayElement(moment: Timestamp, locale: Locale, property?: DateProperty): Html {
  return timeElement(moment, dayOf(moment, locale), locale, property);
}

/** Name the day and the minute: "21 November 2026 at 14:03". */
export function minuteOf(moment: Timestamp, { language, timeZone }: Locale): string {
  return minutes[language](timeZone)(Math.floor(moment / MINUTE));
}

/** Write a count with separators: "12,345". */
export function countOf(count: number): string {
  // Most counts are small, and need no separators.
  return count < 1000 ? String(count) : written(count);
}

const written = memoize((count: number) => counts().format(count), 1000);

type DateProperty = 'dt-published' | 'dt-updated';

function timeElement(moment: Timestamp, text: string, locale: Locale, property?: DateProperty): Html {
  const name = property === undefined ? '' : html` class="${property}"`;
  // Readers don't need milliseconds.
  const exact = exactly[locale.language](locale.timeZone)(Math.floor(moment / SECOND));
  return html`<time${name} ${exact}>${text}</time>`;
}

// Each unit is used from its least distance on. Days go up to 99, since people count that far in days.
const UNITS = [
  { unit: 'year', least: 365 * DAY },
  { unit: 'month', least: 100 * DAY },
  { unit: 'day', least: DAY },
  { unit: 'hour', least: HOUR },
  { unit: 'minute', least: MINUTE },
] as const;
const LENGTHS = { month: 30 * DAY, hour: HOUR, minute: MINUTE };

// The tags that the formatters understand. "en" alone would mean American dates.
const ENGLISH = 'en-GB';
const CHINESE = 'zh-Hans';
const ISO_DATES = 'en-CA';

const justNow = bilingual('just now', '刚刚');

// Created for the first page that needs them: the language data takes tens of milliseconds to load.
const distances = bilingual(distancesIn(ENGLISH), distancesIn(CHINESE));

// In every time zone a day begins with a quarter of an hour.
const QUARTER = 15 * MINUTE;

// The site has one time zone, and for a moment two when the operators choose another.
const MOST_TIME_ZONES = 3;

const days = bilingual(daysIn(ENGLISH), daysIn(CHINESE));

const minutes = bilingual(minutesIn(ENGLISH), minutesIn(CHINESE));

const exactly = bilingual(exactlyIn('en'), exactlyIn('zh'));

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

function daysIn(locale: string): (timeZone: string) => (quarter: number) => string {
  return inTimeZone((timeZone) => {
    const formatter = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
    return memoize((quarter: number) => formatter.format(quarter * QUARTER), 1000);
  });
}

function minutesIn(locale: string): (timeZone: string) => (minute: number) => string {
  return inTimeZone((timeZone) => {
    const formatter = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
    return memoize((minute: number) => formatter.format(minute * MINUTE), 1000);
  });
}

// The attributes of an element that shows a second, for programs and as a tooltip.
function exactlyIn(language: Language): (timeZone: string) => (second: number) => Html {
  return inTimeZone((timeZone) =>
    memoize((second: number) => {
      const moment = second * SECOND;
      const iso = new Date(moment).toISOString().replace('.000', '');
      const title = `${minuteOf(moment, { language, timeZone })} (${offsetOf(moment, { language, timeZone })})`;
      return html`datetime="${iso}" title="${title}"`;
    }, 1000),
  );
}

// Times of day, distances from UTC and counts look the same in both languages.
const clockTimes = inTimeZone(
  (timeZone) => new Intl.DateTimeFormat(ENGLISH, { timeStyle: 'medium', timeZone }),
);
const offsets = inTimeZone((timeZone) => {
  const formatter = new Intl.DateTimeFormat(ENGLISH, { timeZone, timeZoneName: 'shortOffset' });
  return memoize((minute: number) => {
    const parts = formatter.formatToParts(minute * MINUTE);
    return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? '';
  }, 1000);
});

function inTimeZone<R>(make: (timeZone: string) => R): (timeZone: string) => R {
  return memoize(make, MOST_TIME_ZONES);
}

// The date of a minute, as 2026-11-21.
const dates = inTimeZone((timeZone) => {
  const formatter = new Intl.DateTimeFormat(ISO_DATES, { timeZone });
  return memoize((minute: number) => formatter.format(minute * MINUTE), 1000);
});

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

const counts = lazily(() => new Intl.NumberFormat(ENGLISH));
