// The form in which an operator sets a member's membership.

import { html } from 'hono/html';
import { membershipWord } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import { described, explanations, problemSummary, selectField } from '../../pages/fields.ts';
import { bilingual, type Language, type Locale } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { manageMemberPath } from './members.ts';

const KINDS = ['none', 'day', 'never'] as const;

/** The form as it was sent, without a valid last day or with one in the past. */
export interface RefusedMembership {
  problem: 'no_day' | 'past';
  until: string;
}

/** Make the form, also after it was refused. */
export function membershipForm(c: PageContext, user: User, refused: RefusedMembership | undefined): Html {
  const { language, timeZone } = c.get('visitor');
  const t = words[language];
  const problem = refused && t.problems[refused.problem];
  const membership = membershipWord(user.memberUntil, timeZone);
  const isDay = membership !== 'none' && membership !== 'never';
  const until = refused?.until ?? (isDay ? membership : '');
  return html`
    <section class="card">
      <h2>${t.membership}</h2>
      <p class="soft small">${t.explanation}</p>
      <form method="post" action="${manageMemberPath(user.id)}/membership">
        ${formTokenField(c)}
        ${problemSummary({ until: problem }, language)}
        ${kindField(isDay || refused !== undefined ? 'day' : membership, language)}
        ${dayField(until, problem, c.get('visitor'))}
        ${refused?.problem === 'past' && pastBox(language)}
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

function dayField(value: string, problem: string | undefined, { language, timeZone }: Locale): Html {
  const t = words[language];
  const field = { name: 'until', hint: t.dayHint(timeZone), problem };
  return html`
    <div class="field">
      <label for="until">${t.day}</label>
      ${explanations(field)}
      <input type="date" id="until" name="until" value="${value}"${described(field)}>
    </div>`;
}

// Only after a day in the past was refused, so that nobody ticks it by habit.
function pastBox(language: Language): Html {
  return html`
    <div class="field">
      <label class="check">
        <input type="checkbox" name="past" value="yes">
        ${words[language].past}
      </label>
    </div>`;
}

const words = bilingual(
  {
    membership: 'Membership',
    explanation:
      'A mark that applications can read, such as for supporters. It is shown on the member’s page.',
    expires: 'Expires',
    kinds: { none: 'No membership', day: 'On a date', never: 'Never' },
    day: 'Last day',
    dayHint: (zone: string) =>
      `Only for “On a date”. The membership expires at the end of that day in the time zone ${zone}.`,
    save: 'Save membership',
    past: 'This day is right: the membership is over',
    problems: {
      no_day: 'Enter the last day of the membership.',
      past: 'This day is in the past. Nothing was changed. Correct it, or tick the box below.',
    },
  },
  {
    membership: '会员资格',
    explanation: '供应用读取的标识，例如标记赞助者，也会显示在成员主页上。',
    expires: '有效期',
    kinds: { none: '没有会员资格', day: '到指定日期', never: '永不过期' },
    day: '最后一天',
    dayHint: (zone) => `仅用于“到指定日期”。会员资格在当天结束时（${zone} 时区）到期。`,
    save: '保存会员资格',
    past: '日期无误：会员资格已经结束',
    problems: {
      no_day: '请填写会员资格的最后一天。',
      past: '该日期已过，未作任何更改。请更正日期，或勾选下方的选项。',
    },
  },
);
