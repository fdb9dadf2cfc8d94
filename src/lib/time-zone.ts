// Time zones by their IANA names, and the days in them.

import type { Timestamp } from './clock.ts';

/** Read the name of a time zone, in any case. Returns undefined for any other text. */
export function readTimeZone(text: string): string | undefined {
  // The formatter accepts offsets too, which don't know daylight saving time.
  if (!/^[a-z]/i.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Return the first moment after a day such as 2027-01-31. Undefined for a day that does not exist. */
export function endOfDay(day: string, timeZone: string): Timestamp | undefined {
  return momentIn(day, timeZone, 1);
}

/** Return the first moment of a day such as 2027-01-31. Undefined for a day that does not exist. */
export function beginningOfDay(day: string, timeZone: string): Timestamp | undefined {
  return momentIn(day, timeZone, 0);
}

/** Name the day of a moment, such as 2027-01-31. */
export function dayIn(moment: Timestamp, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Name the days up to the day of a moment, oldest first. */
export function daysUntil(moment: Timestamp, count: number, timeZone: string): string[] {
  const last = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate();
  return Array.from({ length: count }, (_, index) => last.subtract({ days: count - 1 - index }).toString());
}

function momentIn(day: string, timeZone: string, days: number): Timestamp | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  try {
    return Temporal.PlainDate.from(day).add({ days }).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return undefined;
  }
}
