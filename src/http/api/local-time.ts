// How the API writes a moment (spec §8): local time of UTC+8, without the offset.

import { HOUR, type Timestamp } from '../../lib/clock.ts';

const OFFSET = 8 * HOUR;

/** `YYYY-MM-DDTHH:mm:ss` in UTC+8, whatever the time zone of the machine. */
export function localTime(moment: Timestamp): string {
  return new Date(moment + OFFSET).toISOString().slice(0, 'YYYY-MM-DDTHH:mm:ss'.length);
}
