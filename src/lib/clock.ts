// Time as a value. Rules take the present moment as an argument; only this file asks the system for it.

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;

/** Returns the present moment. Tests pass a clock that they set. */
export type Clock = () => Timestamp;

export const systemClock: Clock = () => Date.now();

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Count the whole seconds from now until a moment: at least 1. */
export function secondsUntil(moment: Timestamp, now: Timestamp): number {
  return Math.max(1, Math.ceil((moment - now) / SECOND));
}

/** The offset from UTC of the API's timestamps, and of the days in which views are counted. */
export const UTC_PLUS_8 = 8 * HOUR;

/** Number the day in UTC+8, counted from 1970. The site's time zone can change, and would count a day twice. */
export function siteDayOf(moment: Timestamp): number {
  return Math.floor((moment + UTC_PLUS_8) / DAY);
}

/** Write a moment in UTC, to the second: 2026-03-01T00:30:00Z. */
export function isoOf(moment: Timestamp): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** Write a moment as ISO 8601 local time in UTC+8, to the second and without an offset (spec §8). */
export function localTimestamp(moment: Timestamp): string {
  return new Date(moment + UTC_PLUS_8).toISOString().slice(0, 19);
}
