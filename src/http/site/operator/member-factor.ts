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

/** The form that removes the factor, also after it was refused. */
export function removeFactorForm(c: PageContext, user: User, isRefused: boolean): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${manageMemberPath(user.id)}/factors">
      ${formTokenField(c)}
      ${isRefused && html`<p class="notice wrong" role="alert">${t.addressChanged}</p>`}
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
    addressChanged:
      'The email address of this member was changed in the last seven days by an operator. Someone else could get our email about the factor. Wait until the seven days are over, or use the command line.',
    resetFactor: 'Remove second factor',
  },
  {
    none: '无',
    hasFactor: '已启用',
    factorGoes: '将被移除，时间：',
    factorHint: '用于丢失了第二重验证和恢复代码的成员。24 小时后移除，该成员会立即收到邮件通知，并可以取消。',
    addressChanged:
      '该成员的邮箱在最近七天内由管理员更改过，关于第二重验证的邮件可能会被他人收到。请在七天后再试，或使用命令行。',
    resetFactor: '移除第二重验证',
  },
);
