// Pages, mounted as one.

import { Hono } from 'hono';
import type { PageEnv } from '../pages/visitor.ts';
import type { SiteDoor } from './door.ts';

export function together(
  site: SiteDoor,
  parts: readonly ((site: SiteDoor) => Hono<PageEnv>)[],
): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  for (const pages of parts) door.route('/', pages(site));
  return door;
}
