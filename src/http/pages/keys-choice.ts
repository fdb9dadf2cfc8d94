// Whether shortcuts of single keys work in this browser. Speech input and a slip of the hand can press such keys, so
// they can be switched off (WCAG 2.1.4).

import { setCookie } from 'hono/cookie';
import { DAY, SECOND } from '../../lib/clock.ts';
import { cookieOf } from './cookie.ts';
import { cookieName, cookieOptions, type PageContext } from './visitor.ts';

const LIFETIME = 365 * DAY;

/** Report whether the keys work. */
export function hasKeys(c: PageContext): boolean {
  return cookieOf(c, cookieName(c, 'keys')) !== 'off';
}

/** Switch the keys on or off. */
export function chooseKeys(c: PageContext, isOn: boolean): void {
  const maxAge = isOn ? 0 : LIFETIME / SECOND;
  setCookie(c, cookieName(c, 'keys'), isOn ? '' : 'off', { ...cookieOptions(c), maxAge });
}
