// The rule for the popularity of posts.

import { HOUR } from '../lib/clock.ts';

/**
 * A post's popularity is its time of publication plus weight · ln(1 + likes + 2 · comments), so new posts are
 * seen, liked posts stay longer, and no post stays for ever. Storage computes it when a count changes.
 */
export const POPULARITY_WEIGHT = 12 * HOUR;
