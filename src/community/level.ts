// Experience points and levels: the one place where their rule is written.

/** What a published post is worth. */
export const XP_FOR_POST = 10;

/** Level 1 from the start; level n takes 50 · (n - 1)² points: 50 for 2, 200 for 3, 450 for 4. */
export function levelOf(xp: number): number {
  return 1 + Math.floor(Math.sqrt(Math.max(0, xp) / 50));
}
