// The form in which an operator sets a member's membership.

import { html } from 'hono/html';
import { membershipWord } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import { described, explanations, problemSummary, selectField } from '../../pages/fields.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { manageMemberPath } from './members.ts';

const KINDS = ['none', 'day', 'never'] as const;

/** Make the form. `isDayMissing`: it was sent without a valid last day. */
export function membershipForm(c: PageContext, user: User, isDayMissing: boolean): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problem = isDayMissing ? t.noDay : undefined;
  const membership = membershipWord(user.memberUntil);
  const isDay = membership !== 'none' && membership !== 'never';
  return html`
    <section class="card">
      <h2>${t.membership}</h2>
      <form method="post" action="${manageMemberPath(user.id)}/membership">
        ${formTokenField(c)}
        ${problemSummary({ until: problem }, language)}
        ${kindField(isDay || isDayMissing ? 'day' : membership, language)}
        ${dayField(isDay ? membership : '', problem, language)}
        <div class="actions">
          <button class="primary">${t.save}</button>
        </div>
      </form>
    </section>`;
}

function kindField(value: string, language: Language): Html {
  const t = words[language];
  const options = KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] }));
  return selectField({ name: 'membership', label: t.expires, value, options });
}

function dayField(value: string, problem: string | undefined, language: Language): Html {
  const t = words[language];
  const field = { name: 'until', hint: t.dayHint, problem };
  return html`
    <div class="field">
      <label for="until">${t.day}</label>
      ${explanations(field)}
      <input type="date" id="until" name="until" value="${value}"${described(field)}>
    </div>`;
}

const words = bilingual(
  {
    membership: 'Membership',
    expires: 'Expires',
    kinds: { none: 'No membership', day: 'On a date', never: 'Never' },
    day: 'Last day',
    dayHint: 'Only for “On a date”. The membership expires at the end of that day (UTC+8).',
    save: 'Save membership',
    noDay: 'Enter the last day of the membership.',
  },
  {
    membership: '会员资格',
    expires: '有效期',
    kinds: { none: '没有会员资格', day: '到指定日期', never: '永不过期' },
    day: '最后一天',
    dayHint: '仅用于“到指定日期”。会员资格在当天结束时（UTC+8）到期。',
    save: '保存会员资格',
    noDay: '请填写会员资格的最后一天。',
  },
);
