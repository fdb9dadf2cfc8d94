// "This wasn't me": the link in mails about the security of an account. It works without a session, since the person
// who caused the mail may be the one who is signed in.

import type { Identity } from './identity.ts';
import { findMailedLink, LINK_LIFETIME, linkWithoutMail } from './mail.ts';
import type { DisownedMail } from './mail-store.ts';
import { hashOfNoPassword } from './password.ts';

/** The account that a link is for, and what its mail was about. */
export interface OpenedDisowning {
  userId: number;
  username: string;
  disowned: DisownedMail;
  /** Whether newer second factors may go. */
  hasFactor: boolean;
}

/** Read a link. Undefined if it is not valid. */
export async function openDisowning(identity: Identity, token: string): Promise<OpenedDisowning | undefined> {
  const link = await findMailedLink(identity, 'disown', token);
  const user = link && (await identity.reads.findUser(link.userId));
  if (link === undefined || user === undefined) return undefined;
  if (user.status === 'closed' || user.email !== link.email) return undefined;
  const { id: userId, username, hasFactor } = user;
  return { userId, username, disowned: link.disowned ?? {}, hasFactor };
}

/**
 * End what others may have: every session, the password, and second factors that were added in the last 72 hours or
 * since the mail. Older ones stay, so that a mailbox alone can't take a member's factors away. The returned token of a
 * reset link lets this browser set a new password. The door revokes what the mail was about before, so that a failure
 * leaves the link usable.
 */
export async function disown(
  identity: Identity,
  token: string,
  address: string,
): Promise<{ resetToken: string } | undefined> {
  const link = await findMailedLink(identity, 'disown', token);
  if (link === undefined) return undefined;
  const at = identity.clock();
  const { token: resetToken, link: reset } = linkWithoutMail('reset', link, at);
  const passwordHash = hashOfNoPassword();
  const factorsSince = Math.min(link.disowned?.since ?? at, at - LINK_LIFETIME.disown);
  const isDone = await identity.writes.disown(link, { passwordHash, reset, factorsSince, at, address });
  return isDone ? { resetToken } : undefined;
}
