// Changing a member's role, for operators.

import { byOperator } from '../../../audit/doer.ts';
import { setRole } from '../../../identity/role.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { openAccountIn, pageOfMember } from './member.ts';
import { manageMemberPath } from './members.ts';
import { ROLES } from './role-form.ts';

/** Give the member in the path the role in the form. */
export async function saveRole(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const user = await openAccountIn(site, c);
  const role = ROLES.find((name) => name === form.text('role'));
  if (user === undefined || role === undefined) return notFoundPage(c);
  const problem = await setRole(byOperator(operator, site.clock), site.identity, user.id, role);
  if (problem !== undefined) return pageOfMember(site, c, operator, user, { roleProblem: problem });
  // Operators who took their own role away may no longer open the member's page.
  const path =
    operator.id === user.id && role !== 'operator' ? '/' : `${manageMemberPath(user.id)}?saved=role`;
  return c.redirect(path, 303);
}
