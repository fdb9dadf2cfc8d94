// Experience points and levels: the one place where their rule is written. Members read it in docs/members.md.

/** What a published post is worth. Taken back when the post is removed. */
export const XP_FOR_POST = 10;

/** What a comment is worth to who wrote it. Taken back when the comment is removed, by whomever. */
export const XP_FOR_COMMENT = 2;

/** What a like is worth to the author of the post. Taken back when the like is. */
export const XP_FOR_LIKE = 1;

/** Level 1 from the start; level n takes 50 · (n - 1)² points: 50 for 2, 200 for 3, 450 for 4. */
export function levelOf(xp: number): number {
  return 1 + Math.floor(Math.sqrt(Math.max(0, xp) / 50));
}
