// The days of the access diary, in the time zone of the pages, and how many requests each has.

import type { Timestamp } from '../../../lib/clock.ts';
import { beginningOfDay, daysUntil, endOfDay } from '../../../lib/time-zone.ts';
import type { DiaryDay, DiarySum } from '../../../oauth/access-diary-store.ts';
import type { DayCount } from '../../pages/day-bars.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

const DAYS = 30;

export interface Day extends DiaryDay {
  day: string;
}

/** The last 30 days, oldest first. */
export function diaryDays({ clock }: SiteParts, c: PageContext): Day[] {
  const { timeZone } = c.get('visitor');
  return daysUntil(clock(), DAYS, timeZone).map((day) => {
    return { day, beginsAt: beginningOfDay(day, timeZone) ?? 0, endsAt: endOfDay(day, timeZone) ?? 0 };
  });
}

/** Return when the day of a moment began, 0 if it is not among the days. */
export function beginningOf(days: readonly Day[], moment: Timestamp): Timestamp {
  return days.findLast(({ beginsAt }) => beginsAt <= moment)?.beginsAt ?? 0;
}

/** Count the requests of each day. */
export function requestsByDay(
  sums: readonly Pick<DiarySum, 'beginsAt' | 'requests'>[],
  days: readonly Day[],
): DayCount[] {
  const counts = new Map(days.map(({ beginsAt, day }) => [beginsAt, { day, count: 0 }]));
  for (const { beginsAt, requests } of sums) {
    const count = counts.get(beginsAt);
    if (count !== undefined) count.count += requests;
  }
  return [...counts.values()];
}
