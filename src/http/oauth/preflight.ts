// CORS for the endpoints that applications call from pages of their own.

import type { Context } from 'hono';

/** The answer to OPTIONS: what a page of another origin may send. The caller has allowed the origin. */
export function preflightAnswer(c: Context, methods: string): Response {
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
  });
}
