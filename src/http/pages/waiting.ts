// How long a visitor has to wait after too many attempts, for programs and for people.

import { HOUR, MINUTE, SECOND } from '../../lib/clock.ts';
import { bilingual, type Language } from './language.ts';
import type { PageContext } from './visitor.ts';

/** Set the Retry-After header. */
export function retryAfter(c: PageContext, seconds: number): void {
  c.header('Retry-After', String(seconds));
}

/** Say how long to wait, rounded up: "a minute", "50 minutes", "3 hours". */
export function waitText(seconds: number, language: Language): string {
  const t = words[language];
  const minutes = Math.max(1, Math.ceil((seconds * SECOND) / MINUTE));
  return minutes <= 60 ? t.minutes(minutes) : t.hours(Math.ceil((seconds * SECOND) / HOUR));
}

const words = bilingual(
  {
    minutes: (count: number) => (count === 1 ? 'a minute' : `${count} minutes`),
    hours: (count: number) => `${count} hours`,
  },
  {
    minutes: (count) => `${count} 分钟`,
    hours: (count) => `${count} 小时`,
  },
);
