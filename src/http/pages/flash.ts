// Flash messages: one response leaves a word in a cookie for the page after its redirect, so that the word is
// neither in the address nor in the history.

import { getCookie, setCookie } from 'hono/cookie';
import { cookieName, cookieOptions, type PageContext } from './visitor.ts';

const LIFETIME_SECONDS = 60;

/** Leave a word for the next page that takes it. */
export function leaveFlash(c: PageContext, word: string): void {
  setCookie(c, cookieName(c, 'flash'), word, { ...cookieOptions(c), maxAge: LIFETIME_SECONDS });
}

/** Take the word that the last answer left, if there is one. */
export function takeFlash(c: PageContext): string | undefined {
  const word = getCookie(c, cookieName(c, 'flash'));
  if (word !== undefined) setCookie(c, cookieName(c, 'flash'), '', { ...cookieOptions(c), maxAge: 0 });
  return word;
}
