// The security headers of every answer, and the content security policy of pages.

import type { MiddlewareHandler } from 'hono';
import { memoize } from '../lib/remember.ts';
import { isLoopback } from '../oauth/redirect-uri.ts';

/** Return the headers that protect every answer, with Strict-Transport-Security over https. */
export function protectiveHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': NOTHING_ACTIVE,
    ...(baseUrl.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    }),
  };
}

// For answers that browsers show. X-Frame-Options is for browsers without frame-ancestors. Answers that other
// sites may load replace Cross-Origin-Resource-Policy.
const FOR_PAGES = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Return all security headers, for answers that browsers may show. */
export function browserHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return { ...protectiveHeaders(baseUrl), ...FOR_PAGES };
}

/** Add the security headers to every answer, except those that the answer already has. */
export function securityHeaders(baseUrl: string): MiddlewareHandler {
  const protective = Object.entries(browserHeaders(baseUrl));
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of protective) if (!headers.has(name)) headers.set(name, value);
  };
}

// For answers that are not pages. A browser that shows one anyway runs and loads nothing.
const NOTHING_ACTIVE = "default-src 'none'; frame-ancestors 'none'";

type Scripts = 'none' | 'run' | 'connect';

/** Return the policy of a page: nothing from elsewhere, our scripts only if any, forms only to `formTargets`. */
export function pagePolicy(formTargets: readonly string[] = [], scripts: Scripts = 'none'): string {
  return formTargets.length === 0 ? ownPolicy(scripts) : policyOf(formTargets, scripts);
}

// Most pages have forms of ours only.
const ownPolicy = memoize((scripts: Scripts) => policyOf([], scripts), 3);

function policyOf(formTargets: readonly string[], scripts: Scripts): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    ...(scripts === 'connect' ? ["connect-src 'self'"] : []),
    ...(scripts === 'none' ? [] : ["script-src 'self'"]),
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/**
 * Return the form-action sources for a form that ends at this callback. Chromium checks each redirect after a
 * form. An https callback may redirect on to another host, so for it all of https is allowed.
 */
export function formTargetsFor(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (url === null) return [];
  if (url.protocol === 'https:') return ['https:'];
  return isLoopback(url.hostname) ? [url.origin] : [url.protocol];
}
