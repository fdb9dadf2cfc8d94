// Moments and counts in words, per language. Clock times are the site's own, UTC+8 (spec §8). The runtime can say all of
// this in any language, but to say it in two costs it twelve megabytes of its data.

import { html } from 'hono/html';
import { DAY, HOUR, localTimestamp, MINUTE, SECOND, type Timestamp, UTC_PLUS_8 } from '../../lib/clock.ts';
import { bilingual, type Language } from './language.ts';
import type { Html } from './page.ts';

/** How long ago, or in how long: "2 hours ago", "yesterday", "in 88 days". */
export function ago(moment: Timestamp, now: Timestamp, language: Language): string {
  const distance = moment - now;
  const t = words[language];
  const found = UNITS.find(([, least]) => Math.abs(distance) >= least);
  if (found === undefined) return t.justNow;
  const [unit, , length] = found;
  // What is to come is rounded: 30 days less a second are 30 days.
  const count = distance < 0 ? Math.trunc(distance / length) : Math.round(distance / length);
  return t.near[`${count} ${unit}`] ?? (count < 0 ? t.past(-count, unit) : t.future(count, unit));
}

/** The day: "21 Nov 2026". */
export function dayOf(moment: Timestamp, language: Language): string {
  return words[language].day(...dateOf(moment));
}

/** The time of day to the second: "14:03:07". */
export function clockTimeOf(moment: Timestamp): string {
  return localTimestamp(moment).slice(11);
}

/** How long ago, with the exact moment for programs and for whoever points at it. */
export function agoElement(moment: Timestamp, now: Timestamp, language: Language): Html {
  return timeElement(moment, ago(moment, now, language), language);
}

/** The day, with the exact moment for programs and for whoever points at it. */
export function dayElement(moment: Timestamp, language: Language): Html {
  return timeElement(moment, dayOf(moment, language), language);
}

/** The day and the minute: "21 November 2026 at 14:03". */
export function minuteOf(moment: Timestamp, language: Language): string {
  return words[language].minute(...dateOf(moment), localTimestamp(moment).slice(11, 16));
}

/** A count with separators: "12,345". */
export function countOf(count: number): string {
  return `${count}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

function timeElement(moment: Timestamp, text: string, language: Language): Html {
  // To the second: nobody reads milliseconds.
  const iso = new Date(Math.floor(moment / SECOND) * SECOND).toISOString().replace('.000', '');
  return html`<time datetime="${iso}" title="${minuteOf(moment, language)} (UTC+8)">${text}</time>`;
}

/** Year, month from 0, and day of the month. */
function dateOf(moment: Timestamp): [number, number, number] {
  const local = new Date(moment + UTC_PLUS_8);
  return [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute';

// The unit, the least distance that it is used for, and its length. Days go on for as long as people count in them.
const UNITS: [Unit, number, number][] = [
  ['year', 365 * DAY, 365 * DAY],
  ['month', 100 * DAY, 30 * DAY],
  ['day', DAY, DAY],
  ['hour', HOUR, HOUR],
  ['minute', MINUTE, MINUTE],
];

const MONTHS = [
  ...(['January', 'February', 'March', 'April', 'May', 'June', 'July'] as const),
  ...(['August', 'September', 'October', 'November', 'December'] as const),
];

const words = bilingual(
  {
    justNow: 'just now',
    near: {
      '-1 year': 'last year',
      '1 year': 'next year',
      '-1 day': 'yesterday',
      '1 day': 'tomorrow',
    } as Record<string, string>,
    past: (count: number, unit: Unit) => `${count} ${unit}${count === 1 ? '' : 's'} ago`,
    future: (count: number, unit: Unit) => `in ${count} ${unit}${count === 1 ? '' : 's'}`,
    day(year: number, month: number, day: number) {
      const name = MONTHS[month] ?? '';
      return `${day} ${name.slice(0, name === 'September' ? 4 : 3)} ${year}`;
    },
    minute: (year: number, month: number, day: number, time: string) =>
      `${day} ${MONTHS[month]} ${year} at ${time}`,
  },
  {
    justNow: '刚刚',
    near: {
      '-1 year': '去年',
      '1 year': '明年',
      '-2 day': '前天',
      '-1 day': '昨天',
      '1 day': '明天',
      '2 day': '后天',
    },
    past: (count: number, unit: Unit) => `${count}${CHINESE_UNITS[unit]}前`,
    future: (count: number, unit: Unit) => `${count}${CHINESE_UNITS[unit]}后`,
    day: (year: number, month: number, day: number) => `${year}年${month + 1}月${day}日`,
    minute: (year: number, month: number, day: number, time: string) =>
      `${year}年${month + 1}月${day}日 ${time}`,
  },
);

const CHINESE_UNITS = { year: '年', month: '个月', day: '天', hour: '小时', minute: '分钟' };
