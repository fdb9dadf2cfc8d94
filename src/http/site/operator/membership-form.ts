// The form that says how long a member has the membership.

import { html } from 'hono/html';
import { membershipWord } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import { described, explanations, problemSummary, selectField } from '../../pages/fields.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { memberCarePath } from './members.ts';

/** `isDayMissing` says that the form was posted without a last day that can be read. */
export function membershipForm(c: PageContext, user: User, isDayMissing: boolean): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problem = isDayMissing ? t.noDay : undefined;
  const word = membershipWord(user.memberUntil);
  const isDay = word !== 'none' && word !== 'never';
  const options = (['none', 'day', 'never'] as const).map((value) => ({ value, label: t.kinds[value] }));
  const day = { name: 'until', hint: t.dayHint, problem };
  return html`<section class="card"><h2>${t.membership}</h2>
<form method="post" action="${memberCarePath(user.id)}/membership">${formTokenField(c)}
${problemSummary({ until: problem }, language)}
${selectField({ name: 'membership', label: t.lasts, value: isDay || problem !== undefined ? 'day' : word, options })}
<div class="field"><label for="until">${t.day}</label>${explanations(day)}<input type="date" id="until" name="until" value="${isDay ? word : ''}"${described(day)}></div>
<div class="actions"><button class="primary">${t.save}</button></div></form></section>`;
}

const words = bilingual(
  {
    membership: 'Membership',
    lasts: 'How long it lasts',
    kinds: { none: 'No membership', day: 'Through a day', never: 'Without an end' },
    day: 'The last day',
    dayHint: 'Only for “through a day”. Days end at midnight in UTC+8.',
    save: 'Save',
    noDay: 'Choose the last day of the membership.',
  },
  {
    membership: '会员资格',
    lasts: '有效期',
    kinds: { none: '没有会员资格', day: '到某一天为止', never: '永久' },
    day: '最后一天',
    dayHint: '仅用于“到某一天为止”。按 UTC+8 的午夜计算。',
    save: '保存',
    noDay: '请选择会员资格的最后一天。',
  },
);
