// What operators do for a member who can't sign in, or who wants another username.

import { byOperator } from '../../../audit/doer.ts';
import { setEmail } from '../../../identity/email-by-operator.ts';
import { askFactorReset } from '../../../identity/factor-reset.ts';
import { createResetLink } from '../../../identity/password-reset.ts';
import { renameUser } from '../../../identity/renaming.ts';
import { endSignIns } from '../../../identity/session.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { openAccountIn, pageOfMember } from './member.ts';
import { manageMemberPath } from './members.ts';
import { operatorMenu } from './page.ts';

/** Create a link for a new password. Only this response shows it: the database stores no more than its digest. */
export async function createMembersResetLink(
  site: SiteParts,
  c: PageContext,
  operator: User,
): Promise<Response> {
  const user = await openAccountIn(site, c);
  if (user === undefined) return notFoundPage(c);
  const by = byOperator(operator, site.clock);
  const link = await createResetLink(by, site.identity, user, c.get('visitor').language);
  const help = 'problem' in link ? { linkProblem: link.problem } : { link };
  return pageOfMember(site, c, operator, user, { help });
}

/** Set or remove a member's email address. */
export async function saveMembersEmail(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const user = await openAccountIn(site, c);
  if (user === undefined) return notFoundPage(c);
  const isRemoval = form.text('do') === 'remove';
  const input = form.text('email');
  const problem = await setEmail(byOperator(operator, site.clock), site.identity, user, {
    email: isRemoval ? undefined : input,
    language: c.get('visitor').language,
  });
  if (problem !== undefined) {
    return pageOfMember(site, c, operator, user, { help: { email: { input, problem } } });
  }
  return c.redirect(`${manageMemberPath(user.id)}?helped=${isRemoval ? 'email_removed' : 'email_set'}`, 303);
}

/** Rename a member. */
export async function renameMember(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const user = await openAccountIn(site, c);
  if (user === undefined) return notFoundPage(c);
  const input = form.text('username');
  const { language } = c.get('visitor');
  const by = byOperator(operator, site.clock);
  const problem = await renameUser(by, site.identity, user, { to: input, language });
  if (problem !== undefined) {
    return pageOfMember(site, c, operator, user, { help: { username: { input, problem } } });
  }
  return c.redirect(`${manageMemberPath(user.id)}?helped=renamed`, 303);
}

/** Remove the second factor that a member lost, a day later. */
export async function resetMembersFactors(
  site: SiteParts,
  c: PageContext,
  operator: User,
): Promise<Response> {
  const user = await openAccountIn(site, c);
  if (user === undefined) return notFoundPage(c);
  const result = await askFactorReset(byOperator(operator, site.clock), site.identity, user);
  if ('problem' in result && result.problem !== 'no_factor') {
    const { problem } = result;
    const help = problem === 'address_changed' ? { factorProblem: problem } : { linkProblem: problem };
    return pageOfMember(site, c, operator, user, { help });
  }
  return c.redirect(`${manageMemberPath(user.id)}?helped=factors`, 303);
}

/** Ask before a member is signed out everywhere. */
export async function signMemberOutPage(site: SiteParts, c: PageContext): Promise<Response> {
  const user = await openAccountIn(site, c);
  if (user === undefined) return notFoundPage(c);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.question(user.username),
    menu: operatorMenu(c, '/operator/members'),
    consequences: t.consequences,
    action: `${manageMemberPath(user.id)}/sign-out`,
    button: t.signOut,
    back: { path: manageMemberPath(user.id), text: t.cancel },
  });
}

/** Sign a member out everywhere. */
export async function signMemberOut(site: SiteParts, c: PageContext, operator: User): Promise<Response> {
  const id = idIn(c);
  if (!(await endSignIns(byOperator(operator, site.clock), site.identity, id))) return notFoundPage(c);
  return c.redirect(`${manageMemberPath(id)}?helped=signed_out`, 303);
}

const words = bilingual(
  {
    question: (username: string) => `Sign ${username} out everywhere?`,
    consequences: [
      'Every browser is signed out at once. The member can sign in again with the password.',
      'Connected applications stay connected, but must send the member to sign in again.',
      'API tokens keep working. To stop everything, suspend the account.',
    ],
    signOut: 'Sign out everywhere',
    cancel: 'Cancel',
  },
  {
    question: (username: string) => `让 ${username} 在所有设备上退出登录？`,
    consequences: [
      '所有浏览器会立即退出登录。该成员可以用密码重新登录。',
      '已连接的应用保持连接，但需要该成员重新登录。',
      'API 令牌仍然有效。如需停止一切访问，请暂停账号。',
    ],
    signOut: '全部退出登录',
    cancel: '取消',
  },
);
