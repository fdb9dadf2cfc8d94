// The rule for the popularity of posts.

import { HOUR } from '../lib/clock.ts';

/**
 * The popularity of a post is its time of publication plus weight · ln(1 + likes + 2 · comments). So new
 * posts are seen, liked posts stay longer, and no post stays for ever. Storage computes it with the same
 * formula when a count changes.
 */
export const POPULARITY_WEIGHT = 12 * HOUR;
