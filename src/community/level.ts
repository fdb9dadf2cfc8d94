// The rule for experience points and levels. `docs/members.md` explains it to members.

/** Points for a published post. Removing the post takes them back. */
export const XP_FOR_POST = 10;

/** Points for a comment, for its author. Removing the comment takes them back. */
export const XP_FOR_COMMENT = 2;

/** Points for a like, for the author of the post. Unliking takes them back. */
export const XP_FOR_LIKE = 1;

/** Level 1 needs no points, and level n needs 50 · (n - 1)² points: 50 for level 2, 200 for 3, 450 for 4. */
export function levelOf(xp: number): number {
  return 1 + Math.floor(Math.sqrt(Math.max(0, xp) / 50));
}
