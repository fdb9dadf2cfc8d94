// The second factor of a member, for operators: whether there is one, and the form for a lost one.

import { html } from 'hono/html';
import type { FactorReset } from '../../../identity/factor-store.ts';
import type { User } from '../../../identity/user.ts';
import { bilingual } from '../../pages/language.ts';
import { clockTimeOf, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { manageMemberPath } from './members.ts';

/** Say whether the member has a second factor, and when it will be removed. */
export function factorState(c: PageContext, { hasFactor }: User, reset: FactorReset | undefined): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  if (reset === undefined) return html`${hasFactor ? t.hasFactor : t.none}`;
  return html`${t.factorGoes} ${dayElement(reset.dueAt, visitor)} ${clockTimeOf(reset.dueAt, visitor)}`;
}

/** The form that removes the factor. */
export function removeFactorForm(c: PageContext, user: User): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${manageMemberPath(user.id)}/factors">
      ${formTokenField(c)}
      <p class="soft">${t.factorHint}</p>
      <button>${t.resetFactor}</button>
    </form>`;
}

const words = bilingual(
  {
    none: 'None',
    hasFactor: 'Set up',
    factorGoes: 'Will be removed on',
    factorHint:
      'For a member who has lost the second factor and the recovery codes. It is removed 24 hours later. The member is told at once by email, and can cancel it.',
    resetFactor: 'Remove second factor',
  },
  {
    none: '无',
    hasFactor: '已启用',
    factorGoes: '将被移除，时间：',
    factorHint: '用于丢失了第二重验证和恢复代码的成员。24 小时后移除，该成员会立即收到邮件通知，并可以取消。',
    resetFactor: '移除第二重验证',
  },
);
