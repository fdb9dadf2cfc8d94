// Invitations, for operators: creating them, and revoking those that are not used yet.

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
import type { Timestamp } from '../../../lib/clock.ts';
import { partOf } from '../../../lib/part.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/invitations';
const PAGE_SIZE = 50;

/** Create an invitation. Only this response shows its link: the database stores no more than its digest. */
export async function createInvitation(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const input = { note: form.text('note'), days: form.text('days') };
  const days = /^\d{1,4}$/.test(input.days) ? Number(input.days) : 0;
  const invitation = await invite(byOperator(operator, site.clock), site.identity, {
    note: input.note,
    days,
  });
  return pageOfInvitations(
    site,
    c,
    'problem' in invitation ? { input, problem: invitation.problem } : { invitation },
  );
}

/** Revoke an invitation that is not used yet. */
export async function revokeUnusedInvitation(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  // If it was used or revoked meanwhile, the list says so.
  await revokeInvitation(byOperator(operator, site.clock), site.identity, form.text('key'));
  return c.redirect(PATH, 303);
}

/** The result of the form, which the page shows above the list. */
interface FormResult {
  /** The new invitation, right after it was created. */
  invitation?: IssuedInvitation;
  /** The form as it was sent, if it was refused. */
  input?: FormInput;
  problem?: InvitationProblem;
}

interface FormInput {
  note: string;
  days: string;
}

/** Show the form for a new invitation, and all invitations, a page at a time. */
export function invitationsPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfInvitations(site, c, {});
}

async function pageOfInvitations(site: SiteParts, c: PageContext, result: FormResult): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const { input = { note: '', days: String(DEFAULT_INVITATION_DAYS) }, problem, invitation } = result;
  const rows = await invitations(site.identity, { before: c.req.query('before'), most: PAGE_SIZE + 1 });
  const { items: list, last } = partOf(rows, PAGE_SIZE);
  return operatorPage(
    c,
    PATH,
    { title, status: problem === undefined ? 200 : 400 },
    html`
      <h1>${title}</h1>
      ${invitation && newLinkCard(site, c, invitation)}
      <section class="card">
        <h2>${t.another}</h2>
        ${invitationForm(c, input, problem)}
      </section>
      ${list.length === 0 ? html`<p class="empty">${t.none}</p>` : invitationTable(c, list, site.clock())}
      ${neighbourLinks(language, { next: last && { href: `${PATH}?before=${last.key}` } })}`,
  );
}

function newLinkCard({ site }: SiteParts, c: PageContext, { text, expiresAt }: IssuedInvitation): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  return html`
    <section class="card fresh" role="status">
      <h2>${t.title}</h2>
      <pre class="once" tabindex="0">${site.baseUrl}${invitationPath(text)}</pre>
      <p class="soft">${t.once} ${t.expires} ${dayElement(expiresAt, c.get('visitor'))}</p>
    </section>`;
}

function invitationForm(c: PageContext, input: FormInput, problem: InvitationProblem | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const note = problem === 'note' ? t.problems.note : undefined;
  const days = problem === 'days' ? t.problems.days : undefined;
  const daysField = inputField({
    name: 'days',
    label: t.days,
    type: 'number',
    problem: days,
    value: input.days,
    required: true,
  });
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      ${problemSummary({ note, days }, language)}
      ${inputField({ name: 'note', label: t.note, hint: t.noteHint, problem: note, value: input.note })}
      ${daysField}
      <div class="actions">
        <button class="primary">${t.invite}</button>
      </div>
    </form>`;
}

function invitationTable(c: PageContext, list: readonly Invitation[], now: Timestamp): Html {
  const t = words[c.get('visitor').language];
  return table(
    [t.note, t.created, t.state, ''],
    list.map((invitation) => invitationRow(c, invitation, now)),
  );
}

function invitationRow(c: PageContext, invitation: Invitation, now: Timestamp): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { note, createdAt, usedBy } = invitation;
  const state = stateOfInvitation(invitation, now);
  return html`
    <tr>
      <th scope="row">${note || html`<span class="soft">${t.noNote}</span>`}</th>
      <td data-label="${t.created}">${dayElement(createdAt, c.get('visitor'))}</td>
      <td data-label="${t.state}">
        ${t.states[state]}
        ${usedBy && html`<a href="${manageMemberPath(usedBy.id)}">${usedBy.username}</a>`}
      </td>
      <td>${state === 'unused' && revokeForm(c, invitation)}</td>
    </tr>`;
}

function revokeForm(c: PageContext, { key, note }: Invitation): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${PATH}/revoke">
      ${formTokenField(c)}
      <input type="hidden" name="key" value="${key}">
      <button class="link" aria-label="${t.revoke}: ${note || key}">${t.revoke}</button>
    </form>`;
}

const words = bilingual(
  {
    title: 'Invitation created',
    once: 'Copy the link now: it is shown only once. One person can sign up with it.',
    expires: 'Expires on',
    another: 'New invitation',
    note: 'Note',
    noteHint: 'For example, the person’s name. Only operators see it. At most 100 characters.',
    days: 'Days until it expires (1 to 365)',
    invite: 'Create invitation',
    none: 'No invitations yet.',
    noNote: 'No note',
    created: 'Created',
    state: 'Status',
    states: { unused: 'Not used yet', used: 'Used by', expired: 'Expired', revoked: 'Revoked' },
    revoke: 'Revoke',
    problems: {
      note: 'Enter a note of one line and at most 100 characters.',
      days: 'Enter a whole number of days from 1 to 365.',
    },
  },
  {
    title: '邀请已创建',
    once: '请立即复制链接：它只显示这一次，仅供一人注册。',
    expires: '到期日：',
    another: '新建邀请',
    note: '备注',
    noteHint: '例如对方的名字。只有管理员可见，最多 100 个字符。',
    days: '有效天数（1 到 365）',
    invite: '创建邀请',
    none: '还没有邀请。',
    noNote: '无备注',
    created: '创建于',
    state: '状态',
    states: { unused: '未使用', used: '使用者：', expired: '已过期', revoked: '已撤销' },
    revoke: '撤销',
    problems: {
      note: '备注只能有一行，最多 100 个字符。',
      days: '请填写 1 到 365 之间的整数天数。',
    },
  },
);
