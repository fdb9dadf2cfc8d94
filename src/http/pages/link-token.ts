// The secrets in links that we mail or print. A link's first request moves the secret from the address into a
// cookie, so that it stays out of the history, out of screenshots and out of the next page's address.

import { setCookie } from 'hono/cookie';
import { HOUR, SECOND } from '../../lib/clock.ts';
import { pathOf } from '../request-form.ts';
import { cookieOf } from './cookie.ts';
import { cookieName, cookieOptions, type PageContext } from './visitor.ts';

/** The pages that such links lead to, and the parameter that has the secret. */
const LINKS = {
  confirm: 'token',
  undo: 'token',
  keep: 'token',
  disown: 'token',
  reset: 'token',
  unsubscribe: 'token',
  invitation: 'invitation',
  setup: 'token',
} as const;

export type LinkKind = keyof typeof LINKS;

// Time to sign in, or to fill in a form. Afterwards the link is opened again.
const LIFETIME = 1 * HOUR;

/**
 * Return the secret of the link that this browser opened last, empty if there is none. If the address still has
 * the secret, returns a redirect to the same address without it.
 */
export function linkToken(c: PageContext, kind: LinkKind): string | Response {
  const parameter = LINKS[kind];
  const token = c.req.query(parameter);
  if (token === undefined) return cookieOf(c, cookieName(c, `${kind}_link`)) ?? '';
  keepLinkToken(c, kind, token);
  const [path = '/', query] = pathOf(c).split('?');
  const others = new URLSearchParams(query);
  others.delete(parameter);
  c.header('Cache-Control', 'no-store');
  return c.redirect(others.size === 0 ? path : `${path}?${others}`, 303);
}

/** Let this browser open the page of a link with this secret. A malformed one replaces the last one too. */
export function keepLinkToken(c: PageContext, kind: LinkKind, token: string): void {
  const isPlausible = /^[0-9A-Za-z_-]{1,200}$/.test(token);
  setLinkCookie(c, kind, isPlausible ? token : '', isPlausible ? LIFETIME : 0);
}

/** Forget a secret that was used. */
export function forgetLinkToken(c: PageContext, kind: LinkKind): void {
  if (cookieOf(c, cookieName(c, `${kind}_link`)) !== undefined) setLinkCookie(c, kind, '', 0);
}

function setLinkCookie(c: PageContext, kind: LinkKind, value: string, lifetime: number): void {
  setCookie(c, cookieName(c, `${kind}_link`), value, { ...cookieOptions(c), maxAge: lifetime / SECOND });
}
