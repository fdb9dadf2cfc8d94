// Setting a member's membership, for operators.

import { byOperator } from '../../../audit/doer.ts';
import { readMembership, setMembership } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { openAccountIn, pageOfMember } from './member.ts';
import { manageMemberPath } from './members.ts';

/** Set when a member's membership expires, or remove the membership. */
export async function saveMembership(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const user = await openAccountIn(site, c);
  if (user === undefined) return notFoundPage(c);
  const kind = form.text('membership');
  const until = form.text('until');
  const membership = readMembership(kind === 'day' ? until : kind, c.get('site').timeZone);
  if (membership === undefined) {
    return pageOfMember(site, c, operator, user, { membership: { problem: 'no_day', until } });
  }
  const change = { ...membership, isPastMeant: form.has('past') };
  const problem = await setMembership(byOperator(operator, site.clock), site.identity, user.id, change);
  if (problem !== undefined) return pageOfMember(site, c, operator, user, { membership: { problem, until } });
  return c.redirect(`${manageMemberPath(user.id)}?saved`, 303);
}
