// Who looks at a page: session, language, and the secret that ties forms to this browser.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Identity } from '../../identity/identity.ts';
import { endSession, findVisit, SESSION_LIFETIME, type Visit } from '../../identity/session.ts';
import type { SignUpMode } from '../../identity/sign-up.ts';
import { SECOND } from '../../lib/clock.ts';
import { randomBase62 } from '../../lib/secrets.ts';
import { chooseLanguage, type Language } from './language.ts';

/** What a page must know of the site it belongs to. */
export interface Site {
  name: string;
  /** Without a trailing slash. */
  baseUrl: string;
  signUp: SignUpMode;
}

export interface Visitor {
  /** Undefined: nobody is signed in. */
  visit: Visit | undefined;
  language: Language;
  /** The value of the cookie that ties forms to this browser; undefined until a form needs one. */
  secret: string | undefined;
  /** How many notifications a member has not read; not there for anybody else. */
  unread?: () => Promise<number>;
  /** Finds out anew who visits: a session can end while a body arrives. Not there where nobody is signed in. */
  lookAgain?: () => Promise<void>;
}

/** The environment of every page. */
export interface PageEnv {
  Bindings: HttpBindings;
  Variables: { visitor: Visitor; site: Site };
}

export type PageContext = Context<PageEnv>;

/** Finds out who visits. Goes before every page. */
export function knowVisitor(site: Site, identity: Identity): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    c.set('site', site);
    const cookie = sessionCookie(c);
    const visit = cookie === undefined ? undefined : await findVisit(identity, cookie);
    c.set('visitor', {
      visit,
      language: chooseLanguage(getCookie(c, 'language'), c.req.header('accept-language')),
      secret: visit === undefined ? visitorCookie(c) : cookie,
      ...(visit !== undefined && {
        async lookAgain() {
          const still = await findVisit(identity, cookie ?? '');
          const visitor = c.get('visitor');
          visitor.visit = still;
          if (still === undefined) visitor.secret = visitorCookie(c);
        },
      }),
    });
    await next();
  };
}

/**
 * Speaks the first of the languages that an application asks for (OpenID Connect Core §3.1.2.1), unless the visitor
 * chose one here.
 */
export function speakAsAsked(c: PageContext, uiLocales: string | undefined): void {
  if (uiLocales === undefined) return;
  const visitor = c.get('visitor');
  const asked = uiLocales.split(' ').join(',');
  visitor.language = chooseLanguage(getCookie(c, 'language'), asked, visitor.language);
}

/** Goes on as for a stranger: after signing out, and where the database that knows the visitor is away. */
export function forgetVisitor(c: PageContext, language: Language = c.get('visitor').language): void {
  c.set('visitor', { visit: undefined, language, secret: undefined });
}

/** The session cookie as it came, whether or not it is worth anything. */
export function sessionCookie(c: PageContext): string | undefined {
  return getCookie(c, cookieName(c, 'session'));
}

/** Gives the browser a session. The one that it had is over, so that nobody goes on with a copy of it. */
export async function giveSession(c: PageContext, identity: Identity, cookie: string): Promise<void> {
  const before = sessionCookie(c);
  if (before !== undefined) await endSession(identity, before);
  setCookie(c, cookieName(c, 'session'), cookie, { ...cookieOptions(c), maxAge: SESSION_LIFETIME / SECOND });
}

export function clearSessionCookie(c: PageContext): void {
  setCookie(c, cookieName(c, 'session'), '', { ...cookieOptions(c), maxAge: 0 });
}

/** Remembers the chosen language for a year. */
export function setLanguageCookie(c: PageContext, language: Language): void {
  setCookie(c, 'language', language, { ...cookieOptions(c), maxAge: 365 * 24 * 3600 });
}

/**
 * The value that a form carries to prove that this browser was given it. Bound to the session (or, before sign-in, to
 * a cookie of its own) and to what the form is about, so that it serves no other browser and no other form.
 */
export function formToken(c: PageContext, about = 'form'): string {
  const visitor = c.get('visitor');
  if (visitor.secret === undefined) {
    visitor.secret = randomBase62(VISITOR_SECRET_LENGTH);
    setCookie(c, cookieName(c, 'visitor'), visitor.secret, cookieOptions(c));
  }
  return sealOf(visitor.secret, about);
}

/** Reports whether the value was made by `formToken` for this browser and purpose. */
export function isFormToken(c: PageContext, token: string | undefined, about = 'form'): boolean {
  const { secret } = c.get('visitor');
  if (secret === undefined || token === undefined) return false;
  const expected = Buffer.from(sealOf(secret, about));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const VISITOR_SECRET_LENGTH = 40;

function visitorCookie(c: PageContext): string | undefined {
  const secret = getCookie(c, cookieName(c, 'visitor'));
  return secret?.length === VISITOR_SECRET_LENGTH ? secret : undefined;
}

function sealOf(secret: string, about: string): string {
  return createHmac('sha256', secret).update(about).digest('base64url');
}

function isSecure(c: PageContext): boolean {
  return c.get('site').baseUrl.startsWith('https:');
}

// The __Host- prefix keeps other hosts of the same domain from planting a cookie here; it needs https.
function cookieName(c: PageContext, name: 'session' | 'visitor'): string {
  return isSecure(c) ? `__Host-${name}` : `portico_${name}`;
}

// Lax, not Strict: an application sends the member here from its own site, and the member must be recognised.
function cookieOptions(c: PageContext) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c) } as const;
}
