// The form in which an operator changes a member's role.

import { html } from 'hono/html';
import type { RoleProblem } from '../../../identity/role.ts';
import { type Role, roleOf, type User } from '../../../identity/user.ts';
import { problemSummary, selectField } from '../../pages/fields.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { manageMemberPath } from './members.ts';

export const ROLES: readonly Role[] = ['member', 'moderator', 'operator'];

/** Make the form. `problem` says why the role was not changed. */
export function roleForm(c: PageContext, user: User, problem: RoleProblem | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const text = problem && t.problems[problem];
  const options = ROLES.map((role) => ({ value: role, label: t.roles[role] }));
  return html`
    <section class="card">
      <h2>${t.role}</h2>
      <form method="post" action="${manageMemberPath(user.id)}/role">
        ${formTokenField(c)}
        ${problemSummary({ role: text }, language)}
        ${selectField({ name: 'role', label: t.newRole, hint: t.hint, problem: text, value: roleOf(user), options })}
        <div class="actions">
          <button class="primary">${t.save}</button>
        </div>
      </form>
    </section>`;
}

const words = bilingual(
  {
    role: 'Role',
    newRole: 'New role',
    hint: 'Moderators decide about posts, comments, reports, categories and tags, and suspend members. Operators can do everything.',
    roles: { member: 'Member', moderator: 'Moderator', operator: 'Operator' },
    save: 'Save role',
    problems: {
      not_active: 'This account is suspended. Reactivate it before you give it a role.',
      last_operator: 'This is the only operator. Make another member an operator first.',
    },
  },
  {
    role: '角色',
    newRole: '新角色',
    hint: '版主处理文章、评论、举报、分类和标签，并可暂停成员账号。管理员可以进行所有操作。',
    roles: { member: '成员', moderator: '版主', operator: '管理员' },
    save: '保存角色',
    problems: {
      not_active: '此账号已被暂停，请先恢复账号，再设置角色。',
      last_operator: '这是唯一的管理员，请先将另一位成员设为管理员。',
    },
  },
);
