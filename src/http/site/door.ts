// Placeholder until the site door lands.
import { Hono } from 'hono';
import type { PageContext, PageEnv } from '../visitor.ts';
export function siteDoor(_: object): Hono<PageEnv> {
  return new Hono<PageEnv>();
}
export function notFoundPage(c: PageContext): Response {
  return c.text('Not found', 404);
}
export function failurePage(c: PageContext, status: 400 | 413 | 415 | 500 | 503, errorId: string): Response {
  return c.text(`Failed ${errorId}`, status);
}
