// Time as a value that is given, never reached for: rules take a moment, and only this file asks the system.

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number;

/** Tells the present moment. Tests give one that they set. */
export type Clock = () => Timestamp;

export const systemClock: Clock = () => Date.now();

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Whole seconds from now until then, at least 1. */
export function secondsUntil(moment: Timestamp, now: Timestamp): number {
  return Math.max(1, Math.ceil((moment - now) / SECOND));
}

/** How far the site's own clocks are ahead. */
export const UTC_PLUS_8 = 8 * HOUR;

/** The day of the site's own time, UTC+8, counted from 1970. */
export function siteDayOf(moment: Timestamp): number {
  return Math.floor((moment + UTC_PLUS_8) / DAY);
}

/** ISO-8601 local time without offset in UTC+8 (spec §8), whatever the zone of the server. To the second. */
export function localTimestamp(moment: Timestamp): string {
  return new Date(moment + UTC_PLUS_8).toISOString().slice(0, 19);
}
