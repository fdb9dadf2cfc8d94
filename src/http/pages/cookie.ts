// Reading the cookies of a page's visitor.

import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { isEncodedUtf8 } from '../../lib/escapes.ts';

/**
 * Return the value of a cookie. One with malformed escapes, which no page of ours has set, counts as missing: decoding
 * throws for each of them, and a page asks for a dozen cookies.
 */
export function cookieOf(c: Context, name: string): string | undefined {
  const header = c.req.header('cookie');
  if (header === undefined || (header.includes('%') && isMalformed(header, name))) return undefined;
  return getCookie(c, name);
}

function isMalformed(header: string, name: string): boolean {
  for (let at = header.indexOf(name); at !== -1; ) {
    const semicolon = header.indexOf(';', at);
    const end = semicolon === -1 ? header.length : semicolon;
    const pair = header.slice(header.lastIndexOf(';', at) + 1, end);
    // As the library that reads the cookies: spaces around a name don't belong to it.
    if (pair.slice(0, pair.indexOf('=')).trim() === name && !isEncodedUtf8(pair)) return true;
    at = header.indexOf(name, end);
  }
  return false;
}
