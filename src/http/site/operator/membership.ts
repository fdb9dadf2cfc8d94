// Until when a member has the membership, as an operator says.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { actNow } from '../../../identity/act.ts';
import { membershipWord, readMembership } from '../../../identity/membership.ts';
import type { User } from '../../../identity/user.ts';
import { described, explanations, problemSummary, selectField } from '../../pages/fields.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn, NUMBER } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext, PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { notFoundPage } from '../failures.ts';
import { memberCarePath } from './members.ts';
import { fromOperator } from './page.ts';

type MemberPage = (
  site: SiteDoor,
  c: PageContext,
  operator: User,
  user: User,
  dayProblem: string,
) => Promise<Response>;

/** Takes the form. `memberPage` is where it stands. */
export function membershipPosts(site: SiteDoor, memberPage: MemberPage): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.post(
    `/operator/members/:id${NUMBER}/membership`,
    fromOperator(async (c, operator, form) => {
      const user = await site.identity.reads.findUser(idIn(c));
      if (user === undefined || user.status === 'closed') return notFoundPage(c);
      const kind = form.text('membership');
      const chosen = readMembership(kind === 'day' ? form.text('until') : kind);
      if (chosen === undefined) {
        return memberPage(site, c, operator, user, words[c.get('visitor').language].noDay);
      }
      const act = actNow(site.clock, operator.id);
      await site.identity.writes.setMemberUntil(user.id, chosen.until, act);
      return c.redirect(`${memberCarePath(user.id)}?saved`, 303);
    }),
  );
  return door;
}

export function membershipForm(c: PageContext, user: User, problem: string | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
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
