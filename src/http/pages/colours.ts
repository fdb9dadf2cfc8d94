// The colours that this browser shows the pages in. Until the visitor chooses some, the device decides.

import { setCookie } from 'hono/cookie';
import { DAY, SECOND } from '../../lib/clock.ts';
import { cookieOf } from './cookie.ts';
import { cookieName, cookieOptions, type PageContext } from './visitor.ts';

export const COLOURS = ['light', 'dark', 'device'] as const;

export type Colours = (typeof COLOURS)[number];

const LIFETIME = 365 * DAY;

/** Return what the visitor chose. */
export function chosenColours(c: PageContext): Colours {
  const chosen = cookieOf(c, cookieName(c, 'colours'));
  return COLOURS.find((each) => each === chosen) ?? 'device';
}

/** Remember the choice. */
export function chooseColours(c: PageContext, colours: Colours): void {
  const isChosen = colours !== 'device';
  const maxAge = isChosen ? LIFETIME / SECOND : 0;
  setCookie(c, cookieName(c, 'colours'), isChosen ? colours : '', { ...cookieOptions(c), maxAge });
}
