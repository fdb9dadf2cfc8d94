// Flash messages: one response leaves a word in a cookie for the page after its redirect, so that the word is
// neither in the address nor in the history.

import { setCookie } from 'hono/cookie';
import { cookieOf } from './cookie.ts';
import { cookieName, cookieOptions, type PageContext } from './visitor.ts';

const LIFETIME_SECONDS = 60;

/** Leave a word for the next page that takes it. */
export function leaveFlash(c: PageContext, word: string): void {
  setCookie(c, cookieName(c, 'flash'), word, { ...cookieOptions(c), maxAge: LIFETIME_SECONDS });
}

/** The word that a text had a credential of this site, which is masked now. */
export const MASKED = 'masked';

/** The word that the post with this id was published just now. */
export function publishedWord(id: number): string {
  return `published-${id}`;
}

/** Take the word that the last answer left, if there is one; with `wanted`, only this word. */
export function takeFlash(c: PageContext, wanted?: string): string | undefined {
  const word = cookieOf(c, cookieName(c, 'flash'));
  if (wanted !== undefined && word !== wanted) return undefined;
  if (word !== undefined) setCookie(c, cookieName(c, 'flash'), '', { ...cookieOptions(c), maxAge: 0 });
  return word;
}
