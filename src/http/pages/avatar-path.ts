// The address of a member's picture: the chosen one, or the one drawn from the member's number.

/** Return a path of this site. The picture at a path never changes: another picture has another path. */
export function avatarPath(userId: number, avatar: string | undefined): string {
  return avatar === undefined ? `/avatars/${userId}.svg` : `/avatars/${userId}-${avatar}.webp`;
}
