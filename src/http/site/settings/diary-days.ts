// The days of the access diary, in the time zone of the pages, and how many requests each has.

import { beginningOfDay, daysUntil } from '../../../lib/time-zone.ts';
import type { DiaryHour } from '../../../oauth/access-diary-store.ts';
import type { DayCount } from '../../pages/day-bars.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

const DAYS = 30;

interface Day {
  day: string;
  beginsAt: number;
}

/** The last 30 days, oldest first. */
export function diaryDays({ clock }: SiteParts, c: PageContext): Day[] {
  const { timeZone } = c.get('visitor');
  return daysUntil(clock(), DAYS, timeZone).map((day) => {
    return { day, beginsAt: beginningOfDay(day, timeZone) ?? 0 };
  });
}

/** Count the requests of each day. */
export function requestsByDay(hours: readonly DiaryHour[], days: readonly Day[]): DayCount[] {
  const counts = days.map(({ day }) => ({ day, count: 0 }));
  for (const { lastAt, requests } of hours) {
    const count = counts[days.findLastIndex(({ beginsAt }) => beginsAt <= lastAt)];
    if (count !== undefined) count.count += requests;
  }
  return counts;
}
