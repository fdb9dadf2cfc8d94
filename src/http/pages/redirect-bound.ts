// The longest address that an answer leads to.

import type { MiddlewareHandler } from 'hono';
import { longAddressPage } from './failures.ts';
import type { PageEnv } from './visitor.ts';

// Bytes, encoded. With the other headers it fits into the 16 kB that deploy/nginx.conf has for them. For a longer one
// nginx answers 502. A character of a request can have five times its length by then.
const LONGEST = 12_000;

/** Answer with a page instead of a redirect to an address that is too long. Runs after `identifyVisitor`. */
export const boundRedirects: MiddlewareHandler<PageEnv> = async (c, next) => {
  await next();
  const isRedirect = c.res.status >= 300 && c.res.status < 400;
  if (!isRedirect || (c.res.headers.get('Location') ?? '').length <= LONGEST) return;
  // The page would get the headers of the answer before.
  c.res = undefined;
  const answer = await longAddressPage(c);
  answer.headers.delete('Location');
  c.res = answer;
};
