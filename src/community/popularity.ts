// Which posts are popular: the one place where the rule is written.

import { HOUR } from '../lib/clock.ts';

/**
 * A post is as popular as one that nobody answered would be if it had been published so much later:
 * weight · ln(1 + likes + 2 · comments). What is new is seen, what is liked stays a while, and nothing stays for ever.
 * Storage reckons it in the same words when a count changes.
 */
export const HEAT_WEIGHT = 12 * HOUR;
