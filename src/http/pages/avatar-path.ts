// The address of a member's picture: the one they chose, or the one that is drawn from their number.

/** A path of this site. What stands at it never changes: another picture has another address. */
export function avatarPath(userId: number, avatar: string | undefined): string {
  return avatar === undefined ? `/avatars/${userId}.svg` : `/avatars/${userId}-${avatar}.webp`;
}
