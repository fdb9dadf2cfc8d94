// Suspending, reactivating and closing an account: the question before it, and the act. Moderators suspend and
// reactivate too.

import { byModerating } from '../../../audit/doer.ts';
import { type AccountStatusProblem, setAccountStatus } from '../../../identity/account-status.ts';
import type { AccountStatus, User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import { memberPath } from '../../pages/post-path.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { manageMemberPath } from './members.ts';
import { operatorMenu } from './page.ts';
import { reasonField } from './reason-field.ts';

/** The changes that operators can make, and the account's status after each. */
const CHANGES = { suspend: 'suspended', reactivate: 'active', close: 'closed' } as const satisfies Record<
  string,
  AccountStatus
>;
export type Change = keyof typeof CHANGES;

/** Ask before an account is suspended, reactivated or closed. */
export async function changeAccountPage(site: SiteParts, c: PageContext): Promise<Response> {
  const user = await site.identity.reads.findUser(idIn(c));
  return user === undefined ? notFoundPage(c) : pageOfQuestion(c, user, changeOf(c));
}

/** Suspend, reactivate or close an account, as the path says. Moderators return to the member's public page. */
export async function changeAccount(
  site: SiteParts,
  c: PageContext,
  moderator: User,
  form: PostedForm,
): Promise<Response> {
  const user = await site.identity.reads.findUser(idIn(c));
  if (user === undefined) return notFoundPage(c);
  const change = changeOf(c);
  const by = byModerating(moderator, site.clock);
  const reason = form.text('reason');
  const problem = await setAccountStatus(by, site.identity, user, CHANGES[change], reason);
  if (problem !== undefined) return pageOfQuestion(c, user, change, { problem, reason });
  return c.redirect(`${pathOfMember(moderator, user)}?done=${change}`, 303);
}

function pathOfMember(moderator: User, user: User): string {
  return moderator.isOperator ? manageMemberPath(user.id) : memberPath(user.username);
}

function changeOf(c: PageContext): Change {
  const change = c.req.param('change') ?? '';
  return isChange(change) ? change : 'suspend';
}

export function isChange(name: string): name is Change {
  return Object.hasOwn(CHANGES, name);
}

function pageOfQuestion(
  c: PageContext,
  user: User,
  change: Change,
  refusal?: { problem: AccountStatusProblem; reason: string },
): Promise<Response> {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const problem = refusal?.problem;
  const back = visit === undefined ? '/' : pathOfMember(visit.user, user);
  return questionPage(c, {
    title: t.questions[change](user.username),
    status: problem === undefined ? 200 : problem === 'reason_too_long' ? 400 : 409,
    menu: operatorMenu(c, '/operator/members'),
    problem: problem === undefined || problem === 'reason_too_long' ? undefined : t.problems[problem],
    consequences: t.consequences[change],
    ...(change === 'suspend' && {
      fields: reasonField(language, problem === 'reason_too_long' ? refusal?.reason : undefined),
    }),
    action: `${manageMemberPath(user.id)}/${change}`,
    button: CHANGE_NAMES[language][change],
    isDangerous: change !== 'reactivate',
    back: { path: back, text: t.back },
  });
}

/** The acts, as buttons name them. */
export const CHANGE_NAMES = bilingual<Record<Change, string>>(
  { suspend: 'Suspend account', reactivate: 'Reactivate account', close: 'Close account' },
  { suspend: '暂停账号', reactivate: '恢复账号', close: '关闭账号' },
);

const words = bilingual(
  {
    back: 'Cancel',
    questions: {
      suspend: (username: string) => `Suspend ${username}?`,
      reactivate: (username: string) => `Reactivate ${username}?`,
      close: (username: string) => `Close the account ${username}?`,
    },
    consequences: {
      suspend: [
        'The member is signed out everywhere at once and can’t sign in.',
        'Connected applications and API tokens stop working.',
        'Applications that the member registered are deactivated, for all members, until you reactivate the account. Operators can activate one before.',
        'Posts and comments stay. You can reactivate the account at any time.',
      ],
      reactivate: [
        'The member can sign in again. Connected applications and API tokens work again.',
        'Applications that the suspension deactivated are activated.',
        'Content that was removed in the meantime stays removed.',
      ],
      close: [
        'The member is signed out everywhere at once and can never sign in again.',
        'Posts, drafts and comments are removed. The picture, bio and email address are deleted.',
        'Applications that the member registered are deactivated, and left to the operators.',
        'The username can’t be used again.',
        'This can’t be undone.',
      ],
    },
    problems: {
      self: 'This is your own account. You can close it in your settings, but only another operator can suspend it.',
      not_allowed: 'Moderators can’t suspend operators or other moderators. Ask an operator.',
      too_fast: 'You’ve suspended this member, or many members, several times this hour. Ask an operator.',
      closed: 'This account is closed and can’t be reopened.',
      last_operator: 'This is the only operator. Make another member an operator first.',
    },
  },
  {
    back: '取消',
    questions: {
      suspend: (username: string) => `暂停 ${username}？`,
      reactivate: (username: string) => `恢复 ${username}？`,
      close: (username: string) => `关闭 ${username} 的账号？`,
    },
    consequences: {
      suspend: [
        '该成员会立即在所有设备上退出，并且无法登录。',
        '已连接的应用和 API 令牌会停止工作。',
        '该成员注册的应用会对所有成员停用，直到您恢复账号。管理员可以提前启用其中的应用。',
        '文章和评论保持不变。您可以随时恢复账号。',
      ],
      reactivate: [
        '该成员可以重新登录，已连接的应用和 API 令牌恢复可用。',
        '因账号暂停而停用的应用会重新启用。',
        '期间被移除的内容不会恢复。',
      ],
      close: [
        '该成员会立即在所有设备上退出，并且再也无法登录。',
        '文章、草稿和评论会被移除；头像、简介和邮箱地址会被删除。',
        '该成员注册的应用会被停用，并交由管理员管理。',
        '用户名会一直保留，他人无法使用。',
        '此操作无法撤销。',
      ],
    },
    problems: {
      self: '这是您自己的账号。您可以在设置中关闭它，但只有其他管理员可以暂停它。',
      not_allowed: '版主不能暂停管理员或其他版主的账号，请联系管理员。',
      too_fast: '您这一小时暂停该成员或其他成员的次数过多，请联系管理员。',
      closed: '此账号已关闭，无法重新开启。',
      last_operator: '这是唯一的管理员，请先将另一位成员设为管理员。',
    },
  },
);
