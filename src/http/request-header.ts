// Reading one header of a request.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/**
 * The header's value as the runtime has read it; repeated ones are joined by commas (the server is set so). The
 * adapter's own reading looks through all headers again, which on the shortest paths is felt.
 */
export function requestHeader(c: Context, name: 'authorization' | 'if-none-match'): string | undefined {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return incoming === undefined ? c.req.header(name) : incoming.headers[name];
}
