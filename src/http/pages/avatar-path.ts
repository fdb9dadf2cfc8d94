// The address of a member's picture: the uploaded one, or the one drawn from the member's id.

/** Return a path of this site. The picture at a path never changes: a new picture gets a new path. */
export function avatarPath(userId: number, avatar: string | undefined): string {
  return avatar === undefined ? `/avatars/${userId}.svg` : `/avatars/${userId}-${avatar}.webp`;
}
