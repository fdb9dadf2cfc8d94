// Invitations, for operators: making one, and taking back one that nobody has used.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import {
  DEFAULT_INVITATION_DAYS,
  type Invitation,
  type InvitationProblem,
  type IssuedInvitation,
  invitationPath,
  invitations,
  invite,
  revokeInvitation,
  stateOfInvitation,
} from '../../../identity/invitation.ts';
import type { User } from '../../../identity/user.ts';
import { partOf } from '../../../lib/part.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { wayOn } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { memberCarePath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/invitations';
const PAGE_SIZE = 50;

export async function createInvitation(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const typed = { note: form.text('note'), days: form.text('days') };
  const days = /^\d{1,4}$/.test(typed.days) ? Number(typed.days) : 0;
  const invitation = await invite(byOperator(operator, site.clock), site.identity, {
    note: typed.note,
    days,
  });
  // Only this response has the link: the database keeps nothing from which it could be shown again.
  return pageOfInvitations(
    site,
    c,
    'problem' in invitation ? { typed, problem: invitation.problem } : { invitation },
  );
}

export async function takeBackInvitation(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  // If it was used or revoked meanwhile, the list says so.
  await revokeInvitation(byOperator(operator, site.clock), site.identity, form.text('key'));
  return c.redirect(PATH, 303);
}

/** What the page shows besides the list. */
interface Shown {
  /** The invitation that was just created. */
  invitation?: IssuedInvitation;
  typed?: { note: string; days: string };
  problem?: InvitationProblem;
}

export function invitationsPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfInvitations(site, c, {});
}

async function pageOfInvitations(site: SiteParts, c: PageContext, shown: Shown): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const { typed = { note: '', days: String(DEFAULT_INVITATION_DAYS) }, problem, invitation } = shown;
  const rows = await invitations(site.identity, { before: c.req.query('before'), most: PAGE_SIZE + 1 });
  const { items: list, last } = partOf(rows, PAGE_SIZE);
  const problems = {
    note: problem === 'note' ? t.problems.note : undefined,
    days: problem === 'days' ? t.problems.days : undefined,
  };
  return operatorPage(
    c,
    PATH,
    { title, status: problem === undefined ? 200 : 400 },
    html`<h1>${title}</h1>
${invitation === undefined ? '' : html`<section class="card fresh" role="status"><h2>${t.made}</h2><pre class="once" tabindex="0">${site.site.baseUrl}${invitationPath(invitation.text)}</pre><p class="soft">${t.once} ${dayElement(invitation.expiresAt, language)}.</p></section>`}
<section class="card"><h2>${t.another}</h2><form method="post" action="${PATH}">${formTokenField(c)}
${problemSummary(problems, language)}
${inputField({ name: 'note', label: t.note, hint: t.noteHint, problem: problems.note, value: typed.note })}
${inputField({ name: 'days', label: t.days, type: 'number', problem: problems.days, value: typed.days, required: true })}
<div class="actions"><button class="primary">${t.invite}</button></div></form></section>
${list.length === 0 ? html`<p class="empty">${t.none}</p>` : table(c, list, site.clock(), language)}
${wayOn(language, { on: last && { href: `${PATH}?before=${last.key}` } })}`,
  );
}

function table(c: PageContext, list: readonly Invitation[], now: number, language: Language): Html {
  const t = words[language];
  const rows = list.map((invitation) => {
    const { key, note, createdAt, usedBy } = invitation;
    const state = stateOfInvitation(invitation, now);
    const by =
      usedBy === undefined ? '' : html` <a href="${memberCarePath(usedBy.id)}">${usedBy.username}</a>`;
    const revoke =
      state === 'unused'
        ? html`<form method="post" action="${PATH}/revoke">${formTokenField(c)}<input type="hidden" name="key" value="${key}"><button class="link" aria-label="${t.revoke}: ${note || key}">${t.revoke}</button></form>`
        : '';
    return html`<tr><th scope="row">${note || html`<span class="soft">${t.noNote}</span>`}</th><td data-label="${t.madeOn}">${dayElement(createdAt, language)}</td><td data-label="${t.state}">${t.states[state]}${by}</td><td>${revoke}</td></tr>`;
  });
  return html`<table><thead><tr><th scope="col">${t.note}</th><th scope="col">${t.madeOn}</th><th scope="col">${t.state}</th><td></td></tr></thead><tbody>${rows}</tbody></table>`;
}

const words = bilingual(
  {
    made: 'The link, for one person',
    once: 'It is not shown again. It can be used once, until',
    another: 'Invite somebody',
    note: 'For whom',
    noteHint: 'Only operators see it. At most 100 characters.',
    days: 'Days for which it can be used',
    invite: 'Make the link',
    none: 'Nobody has been invited yet.',
    noNote: 'no note',
    madeOn: 'Made',
    state: 'State',
    states: { unused: 'not used yet', used: 'used by', expired: 'expired', revoked: 'taken back' },
    revoke: 'Take back',
    problems: {
      note: 'The note can have at most 100 characters, in one line.',
      days: 'Choose 1 to 365 days.',
    },
  },
  {
    made: '仅供一人使用的链接',
    once: '此链接不会再次显示。只能使用一次，有效期至',
    another: '邀请他人',
    note: '邀请对象',
    noteHint: '只有管理员可见，最多 100 个字符。',
    days: '有效天数',
    invite: '生成链接',
    none: '还没有邀请过任何人。',
    noNote: '无备注',
    madeOn: '创建于',
    state: '状态',
    states: { unused: '未使用', used: '使用者：', expired: '已过期', revoked: '已收回' },
    revoke: '收回',
    problems: { note: '备注最多 100 个字符，且只有一行。', days: '请选择 1 到 365 天。' },
  },
);
