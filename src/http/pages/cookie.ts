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
  if (header === undefined || (header.includes('%') && isMalformed(header, `${name}=`))) return undefined;
  return getCookie(c, name);
}

function isMalformed(header: string, start: string): boolean {
  for (let at = header.indexOf(start); at !== -1; ) {
    const semicolon = header.indexOf(';', at);
    const end = semicolon === -1 ? header.length : semicolon;
    if (!isEncodedUtf8(header.slice(at, end))) return true;
    at = header.indexOf(start, end);
  }
  return false;
}
