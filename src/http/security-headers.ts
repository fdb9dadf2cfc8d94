// Headers that every answer carries, and the policies of pages.

import type { MiddlewareHandler } from 'hono';
import { isLoopback } from '../oauth/redirect-uri.ts';

/** What protects an answer whatever it is. Over https browsers are told to stay with https for two years. */
export function protectiveHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': NOTHING_ACTIVE,
    ...(baseUrl.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    }),
  };
}

// For responses that browsers show, follow or embed. Old browsers don't know frame-ancestors.
const FOR_PAGES = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Gives every answer that passes the protective headers that it does not have. */
export function securityHeaders(baseUrl: string): MiddlewareHandler {
  const protective = Object.entries({ ...protectiveHeaders(baseUrl), ...FOR_PAGES });
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of protective) if (!headers.has(name)) headers.set(name, value);
  };
}

// For answers that are not pages: should a browser show one, it is inert.
const NOTHING_ACTIVE = "default-src 'none'; frame-ancestors 'none'";

/** The policy of a page: nothing from elsewhere, no script but ours, forms only to this site and the given sources. */
export function pagePolicy(formTargets: readonly string[] = [], withScript = false): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(withScript ? ["connect-src 'self'", "script-src 'self'"] : []),
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/**
 * Where a form may lead that ends at an application's callback. Chromium holds each redirect after a form to
 * form-action, also those that the application itself makes: a callback on one https host may well pass the member on
 * to another, so https is allowed as a whole; otherwise the callback's own origin or scheme.
 */
export function formTargetsFor(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (url === null) return [];
  if (url.protocol === 'https:') return ['https:'];
  return isLoopback(url.hostname) ? [url.origin] : [url.protocol];
}
