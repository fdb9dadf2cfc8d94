// Drawing a card or an icon when it is first asked for, and keeping it.

import { byServer } from '../audit/doer.ts';
import type { CardDrawing } from '../lib/card.ts';
import { DAY, MINUTE, type Timestamp } from '../lib/clock.ts';
import { BoundedMap } from '../lib/remember.ts';
import type { DrawingKey } from './drawing-store.ts';
import type { Site } from './site.ts';

/** How long a drawing is kept. */
export const DRAWING_LIFETIME = 30 * DAY;

export interface WantedDrawing extends DrawingKey {
  userId?: number;
  /** The caller is a network address. */
  draw(caller: string): Promise<CardDrawing>;
}

// A drawing that failed takes the same time again.
const PAUSE_AFTER_FAILURE = 10 * MINUTE;

const underWay = new Map<string, Promise<CardDrawing>>();
const failures = new BoundedMap<string, Timestamp>(1000);

/** Draw and keep a picture. Those who ask for the same one at the same time get the same drawing. */
export function draw(site: Site, wanted: WantedDrawing, caller: string): Promise<CardDrawing> {
  const key = `${site.baseUrl} ${wanted.name} ${wanted.version}`;
  const current = underWay.get(key);
  if (current !== undefined) return current;
  const drawing = drawAndKeep(site, wanted, caller, key).finally(() => underWay.delete(key));
  underWay.set(key, drawing);
  return drawing;
}

async function drawAndKeep(
  site: Site,
  wanted: WantedDrawing,
  caller: string,
  key: string,
): Promise<CardDrawing> {
  const failedAt = failures.get(key);
  if (failedAt !== undefined && site.clock() - failedAt < PAUSE_AFTER_FAILURE)
    return { problem: 'too_costly' };
  const { name, version, userId } = wanted;
  const drawing = await wanted.draw(caller);
  if ('image' in drawing) {
    const { image } = drawing;
    await site.writes.keepDrawing(byServer(site.clock), { name, version, userId, image });
  } else if (drawing.problem === 'too_costly') {
    failures.set(key, site.clock());
  }
  return drawing;
}
