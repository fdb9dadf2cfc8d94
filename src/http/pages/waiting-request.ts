// The sign-in to an application that a visitor left to create an account or to set a new password. It is kept in this
// browser, because the application expects the answer in no other.

import { setCookie } from 'hono/cookie';
import { HOUR, SECOND } from '../../lib/clock.ts';
import { cookieOf } from './cookie.ts';
import { isAuthorizationPath } from './return-path.ts';
import { cookieName, cookieOptions, type PageContext } from './visitor.ts';

// As long as the link in the mail is valid.
const LIFETIME = 1 * HOUR;
// Browsers store 4,096 characters for each cookie, and encode some of them with three.
const MOST_CHARACTERS = 2500;

/** Remember the path if it is a sign-in to an application. */
export function keepWaitingRequest(c: PageContext, path: string): void {
  if (isAuthorizationPath(path) && path.length <= MOST_CHARACTERS) setWaiting(c, path, LIFETIME);
}

/** Return the path of the sign-in that waits in this browser, if there is one. */
export function waitingRequest(c: PageContext): string | undefined {
  const path = cookieOf(c, cookieName(c, 'waiting'));
  return path !== undefined && isAuthorizationPath(path) ? path : undefined;
}

/** Forget the sign-in, because the application has its answer. */
export function forgetWaitingRequest(c: PageContext): void {
  if (cookieOf(c, cookieName(c, 'waiting')) !== undefined) setWaiting(c, '', 0);
}

function setWaiting(c: PageContext, value: string, lifetime: number): void {
  setCookie(c, cookieName(c, 'waiting'), value, { ...cookieOptions(c), maxAge: lifetime / SECOND });
}
