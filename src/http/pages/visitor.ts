// The visitor of a page: session, language, and the secret that ties forms to the browser.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import type { Identity } from '../../identity/identity.ts';
import {
  findVisit,
  isCookieOfMember,
  replaceSession,
  SESSION_LIFETIME,
  type Visit,
} from '../../identity/session.ts';
import { begun } from '../../lib/awaitable.ts';
import { SECOND } from '../../lib/clock.ts';
import { networkToShow } from '../../lib/network.ts';
import { programName } from '../../lib/program-name.ts';
import { memoizeByRecord } from '../../lib/remember.ts';
import { randomBase62 } from '../../lib/secrets.ts';
import type { SiteSettings } from '../../site/settings.ts';
import { type Site, settingsOf } from '../../site/site.ts';
import type { ClientAddress } from '../client-address.ts';
import { cookieOf } from './cookie.ts';
import { chooseLanguage, type Language, LONGEST_LIST, type Locale } from './language.ts';

/** The site that a page belongs to, with the settings that hold now. */
export interface CurrentSite extends SiteSettings, Pick<Site, 'baseUrl' | 'securityContact' | 'isSandbox'> {}

export interface Visitor extends Locale {
  /** Undefined for a visitor who is not signed in. */
  visit: Visit | undefined;
  /** The value of the cookie that ties forms to this browser. Undefined until a form needs it. */
  secret: string | undefined;
  /** Counts a member's unread notifications. Undefined for other visitors. */
  unread?: () => Promise<number>;
  /** Counts the open reports. Undefined for visitors who are neither operators nor moderators. */
  reports?: () => Promise<number>;
  /** Counts the texts that wait for approval, for the same visitors. */
  waiting?: () => Promise<number>;
  /** Looks the session up again, because it can end while a body arrives. Undefined without a session. */
  lookAgain?: () => Promise<void>;
  /** Reports whether a member was signed in here when the request arrived, or until recently. */
  wasMember?: () => Promise<boolean>;
}

/** The environment of every page. */
export interface PageEnv {
  Bindings: HttpBindings;
  Variables: { visitor: Visitor; site: CurrentSite };
}

export type PageContext = Context<PageEnv>;

/** Find out who the visitor is. Runs before every page. */
export function identifyVisitor(
  site: Site,
  identity: Identity,
  clientAddress: ClientAddress,
): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const cookie = cookieOf(c, cookieNameAt(site, 'session'));
    const network = networkToShow(clientAddress(c));
    // Read together with the settings.
    const visiting = cookie === undefined ? undefined : begun(findVisit(identity, cookie, network));
    c.set('site', await currentSite(site));
    const visit = await visiting;
    c.set('visitor', {
      visit,
      timeZone: c.get('site').timeZone,
      language: chooseLanguage(languageCookie(c), c.req.header('accept-language'), c.get('site').language),
      secret: visitorCookie(c),
      ...(cookie !== undefined && {
        wasMember: async () => visit !== undefined || isCookieOfMember(identity, cookie),
      }),
      ...(visit !== undefined && {
        async lookAgain() {
          const visitor = c.get('visitor');
          visitor.visit = await findVisit(identity, cookie ?? '', network);
        },
      }),
    });
    await next();
    // A redirect's address may hold a whole authorization request, and it depends on who is signed in.
    if (c.res.status === 303 && !c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  };
}

/** Return the site with the settings that hold now: the same object until one changes. */
export async function currentSite(site: Site): Promise<CurrentSite> {
  const settings = await settingsOf(site);
  return currentSites(settings, () => siteWith(site, settings));
}

const currentSites = memoizeByRecord<SiteSettings, CurrentSite>();

/** Return the site with these settings. */
export function siteWith(site: Site, settings: SiteSettings): CurrentSite {
  const { baseUrl, securityContact, isSandbox = false } = site;
  return { ...settings, baseUrl, securityContact, isSandbox };
}

/**
 * Use the first of the application's `ui_locales` that the site speaks (OpenID Connect Core §3.1.2.1), unless
 * the visitor chose a language here.
 */
export function useRequestedLanguage(c: PageContext, uiLocales: string | undefined): void {
  if (uiLocales === undefined) return;
  const visitor = c.get('visitor');
  const acceptable = uiLocales.slice(0, LONGEST_LIST).replaceAll(' ', ',');
  visitor.language = chooseLanguage(languageCookie(c), acceptable, visitor.language);
}

/** Treat the visitor as not signed in: after signing out, and while the database is unreachable. */
export function forgetVisitor(c: PageContext, language: Language = c.get('visitor').language): void {
  const { timeZone } = c.get('site');
  c.set('visitor', { visit: undefined, language, timeZone, secret: undefined });
}

/** The key of the visitor's session. Empty for one who is not signed in. */
export function sessionKeyOf(c: PageContext): string {
  return c.get('visitor').visit?.sessionKey ?? '';
}

/** Return the session cookie as it came, whether or not it is valid. */
export function sessionCookie(c: PageContext): string | undefined {
  return cookieOf(c, cookieName(c, 'session'));
}

/** Give the browser a session. Its previous session ends, so that a copy of that cookie is useless. */
export async function giveSession(
  c: PageContext,
  identity: Identity,
  cookie: string,
  address: string,
): Promise<void> {
  const before = sessionCookie(c);
  if (before !== undefined) await replaceSession(identity, before, cookie, address);
  setCookie(c, cookieName(c, 'session'), cookie, { ...cookieOptions(c), maxAge: SESSION_LIFETIME / SECOND });
  const { secret } = c.get('visitor');
  if (secret !== undefined) setVisitorCookie(c, secret, true);
}

/** Remove the session cookie from the browser, and what it has stored of our pages (ASVS 14.3.1). */
export function clearSessionCookie(c: PageContext): void {
  // Not "cookies": the chosen language stays.
  c.header('Clear-Site-Data', '"cache", "storage"');
  setCookie(c, cookieName(c, 'session'), '', { ...cookieOptions(c), maxAge: 0 });
}

/** Name the browser of a request shortly: "Firefox on Linux". Empty if it sent no name. */
export function programOf(c: PageContext): string {
  return programName(c.req.header('user-agent'));
}

/** Return the cookie of a browser that signed members in before, as it came. */
export function knownBrowserCookie(c: PageContext): string | undefined {
  return cookieOf(c, cookieName(c, 'known'));
}

/** Set that cookie. It outlives sign-outs, because it is no credential (see `identity/known-browser.ts`). */
export function setKnownBrowserCookie(c: PageContext, value: string): void {
  setCookie(c, cookieName(c, 'known'), value, { ...cookieOptions(c), maxAge: 365 * 24 * 3600 });
}

/** Remember the chosen language for a year. */
export function setLanguageCookie(c: PageContext, language: Language): void {
  setCookie(c, languageCookieName(c), language, { ...cookieOptions(c), maxAge: 365 * 24 * 3600 });
}

/**
 * Return the value by which a form proves that this browser got it from us. It is bound to the form's purpose, to
 * the browser by a cookie of its own, and to the signed-in member: it works in no other browser and for no other
 * member, but it still works after the same member has signed in again in another tab.
 */
export function formToken(c: PageContext, about = 'form'): string {
  return sealOf(browserSecret(c), about, c.get('visitor').visit);
}

/**
 * Return the value for a form that is not tied to the signed-in member, such as the sign-in form. It is bound to
 * the browser alone, so it still works after someone signs in in another tab. Another site can't make it.
 */
export function visitorFormToken(c: PageContext): string {
  return sealOf(browserSecret(c), VISITOR_FORM, undefined);
}

/** Report whether `formToken` made the value for this browser, member and purpose. */
export function isFormToken(c: PageContext, token: string | undefined, about = 'form'): boolean {
  const { secret, visit } = c.get('visitor');
  return secret !== undefined && token !== undefined && isSame(token, sealOf(secret, about, visit));
}

/** Report whether `visitorFormToken` made the value for this browser. */
export function isVisitorFormToken(c: PageContext, token: string | undefined): boolean {
  const { secret } = c.get('visitor');
  return (
    secret !== undefined && token !== undefined && isSame(token, sealOf(secret, VISITOR_FORM, undefined))
  );
}

// `formToken` is never called with this purpose.
const VISITOR_FORM = 'visitor form';

function isSame(token: string, seal: string): boolean {
  const [actual, expected] = [Buffer.from(token), Buffer.from(seal)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Return the secret that only this browser has. Its cookie is set if there is none. */
export function browserSecret(c: PageContext): string {
  const visitor = c.get('visitor');
  if (visitor.secret === undefined) {
    visitor.secret = randomBase62(VISITOR_SECRET_LENGTH);
    setVisitorCookie(c, visitor.secret, visitor.visit !== undefined);
  }
  return visitor.secret;
}

// A member's cookie lasts as long as the session, so that forms in a restored tab still work.
function setVisitorCookie(c: PageContext, secret: string, isMember: boolean): void {
  const lifetime = isMember ? { maxAge: SESSION_LIFETIME / SECOND } : {};
  setCookie(c, cookieName(c, 'visitor'), secret, { ...cookieOptions(c), ...lifetime });
}

const VISITOR_SECRET_LENGTH = 40;

function visitorCookie(c: PageContext): string | undefined {
  const secret = cookieOf(c, cookieName(c, 'visitor'));
  return secret?.length === VISITOR_SECRET_LENGTH ? secret : undefined;
}

// The name without a prefix is from before the cookie had one; browsers may have it until November 2027.
function languageCookie(c: PageContext): string | undefined {
  return cookieOf(c, languageCookieName(c)) ?? cookieOf(c, 'language');
}

function languageCookieName(c: PageContext): string {
  return isSecure(c) ? '__Host-language' : 'language';
}

function sealOf(secret: string, about: string, visit: Visit | undefined): string {
  return createHmac('sha256', secret)
    .update(`${visit?.user.id ?? ''}\n${about}`)
    .digest('base64url');
}

function isSecure(c: PageContext): boolean {
  return isSecureAt(c.get('site'));
}

function isSecureAt({ baseUrl }: Pick<Site, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

/** Name a cookie. The __Host- prefix keeps other hosts of the same domain from planting it; it needs https. */
export function cookieName(c: PageContext, name: string): string {
  return cookieNameAt(c.get('site'), name);
}

function cookieNameAt(site: Pick<Site, 'baseUrl'>, name: string): string {
  return isSecureAt(site) ? `__Host-${name}` : `portico_${name}`;
}

/** Lax, not Strict: applications and mails send the member here, and the member must be recognised. */
export function cookieOptions(c: PageContext) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(c) } as const;
}
