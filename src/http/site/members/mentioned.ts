// Where a mention leads, and the members whom the editor suggests while one is written.

import type { User } from '../../../identity/user.ts';
import { usernameKey } from '../../../identity/username.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { idIn } from '../../pages/numbers.ts';
import { memberPath } from '../../pages/post-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

const MOST_SUGGESTED = 6;
// Suspended and closed accounts are left out afterwards.
const MOST_READ = 30;
const SUGGESTIONS_A_MINUTE = 120;
const WINDOW_SECONDS = 60;

/** The path of the page of the member whose number is in the path. */
export async function pathOfMember({ identity }: SiteParts, c: PageContext): Promise<string | undefined> {
  const user = await identity.reads.findUser(idIn(c));
  return user === undefined || user.status === 'closed' ? undefined : memberPath(user.username);
}

/** List active members whose usernames begin with the text in the query. */
export async function suggestMembers(
  { identity, counter }: SiteParts,
  c: PageContext,
  user: User,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const prefix = usernameKey(c.req.query('q') ?? '');
  if (prefix === '') return c.json([]);
  const hit = await counter.hit(`suggestions:${user.id}`, SUGGESTIONS_A_MINUTE, WINDOW_SECONDS);
  if (!hit.allowed) return c.json([], 429, { 'Retry-After': String(hit.resetSeconds) });
  const members = await identity.reads.membersNamed(prefix, undefined, MOST_READ);
  const active = members.filter(({ status }) => status === 'active').slice(0, MOST_SUGGESTED);
  return c.json(active.map(({ id, username, avatar }) => ({ username, avatar: avatarPath(id, avatar) })));
}
