// Mails that were not sent yet, for operators: those that wait and those that were given up, which can be sent again.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { shortenedEmail } from '../../../identity/email-address.ts';
import { canSendAgain, sendAgain } from '../../../identity/mail.ts';
import type { UnsentMail } from '../../../identity/mail-store.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { partOf } from '../../../lib/part.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Locale } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { neighbourLinks } from '../../pages/pagination.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { manageMemberPath } from './members.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/mails';
const PAGE_SIZE = 50;

/** Show the mails that wait or were given up, newest first. */
export async function mailsPage({ identity, clock }: SiteParts, c: PageContext): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const before = numberIn(c.req.query('before')) ?? Number.MAX_SAFE_INTEGER;
  const rows = await identity.reads.unsentMails(before, PAGE_SIZE + 1);
  const { items: mails, last } = partOf(rows, PAGE_SIZE);
  const list = table(
    [t.member, t.mail, t.state, ''],
    mails.map((mail) => mailRow(c, mail, clock())),
  );
  const done = c.req.query('done');
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <p class="soft">${t.explanation}</p>
      ${notice(done === 'again' ? t.again : done === 'gone' ? t.gone : undefined)}
      ${mails.length === 0 ? html`<p class="empty">${t.none}</p>` : list}
      ${neighbourLinks(language, { next: last && { href: `${PATH}?before=${last.id}` } })}`,
  );
}

/** Send a mail again. */
export async function sendMailAgain(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const id = numberIn(form.text('mail')) ?? 0;
  const isDue = await sendAgain(byOperator(operator, site.clock), site.identity, id);
  return c.redirect(`${PATH}?done=${isDue ? 'again' : 'gone'}`, 303);
}

function mailRow(c: PageContext, mail: UnsentMail, now: Timestamp): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { userId, username, email, purpose, attempts, problem, createdAt } = mail;
  return html`
    <tr>
      <th scope="row">
        <a href="${manageMemberPath(userId)}">${username}</a>
        <br><span class="soft small">${shortenedEmail(email)}</span>
      </th>
      <td data-label="${t.mail}">
        <span>
          ${t.purposes[purpose]}
          <br><span class="soft small">${agoElement(createdAt, now, c.get('visitor'))}</span>
        </span>
      </td>
      <td data-label="${t.state}">
        <span>
          ${stateOf(mail, now, c.get('visitor'))}
          <br><span class="soft small">${t.attempts(attempts)}${problem !== undefined && `: ${problem}`}</span>
        </span>
      </td>
      <td>${canSendAgain(mail, now) && sendForm(c, mail)}</td>
    </tr>`;
}

function stateOf({ givenUpAt, nextAttemptAt }: UnsentMail, now: Timestamp, locale: Locale): Html {
  const t = words[locale.language];
  if (givenUpAt !== undefined) return html`${t.givenUp} ${agoElement(givenUpAt, now, locale)}`;
  return nextAttemptAt > now ? html`${t.waiting} ${agoElement(nextAttemptAt, now, locale)}` : html`${t.due}`;
}

function sendForm(c: PageContext, { id, username }: UnsentMail): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${PATH}/again">
      ${formTokenField(c)}
      <input type="hidden" name="mail" value="${id}">
      <button class="link" aria-label="${t.send}: ${username}">${t.send}</button>
    </form>`;
}

const words = bilingual(
  {
    explanation:
      'Mails that the mail server has not accepted yet. Portico tries for two days and then gives up. Three days later it deletes the mail. Addresses are shortened.',
    again: 'The server is sending the mail now. If it’s still in the list in a minute, the attempt failed.',
    gone: 'The mail was sent, deleted, or is being sent right now.',
    none: 'No mail is waiting.',
    member: 'Member',
    mail: 'Mail',
    state: 'Status',
    due: 'Next to be sent',
    waiting: 'Next attempt',
    givenUp: 'Given up',
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    send: 'Send again',
    purposes: {
      confirm: 'Confirm the email address',
      reset: 'Set a new password',
      email_changed: 'The email address was changed',
      email_removed: 'The email address was removed',
      email_restored: 'The email address was restored',
      password_changed: 'The password was changed',
      token_created: 'An API token was created',
      api_token: 'An API token ends',
      credential_exposed: 'A credential was found in public',
      email_added: 'An operator set this email address',
      email_replaced: 'An operator replaced this email address',
      reset_link_created: 'An operator made a password link',
      factor_reset_asked: 'An operator removes the second factor',
      renamed: 'An operator changed the username',
      role_changed: 'An operator changed the role',
      account_suspended: 'The account was suspended',
      content_removed: 'A post or comment was removed',
      content_restored: 'A post or comment was restored',
      new_reports: 'New reports',
      endpoint_disabled: 'Events to an application were turned off',
      callbacks_changed: 'Addresses of an application were changed',
      application_reviewed: 'Decision on an application',
      new_browser: 'A new browser signed in',
      application_allowed: 'An application was connected',
      application_widened: 'An application can read more',
      replay_detected: 'A credential was used twice',
      factor_added: 'A second factor was added',
      factor_removed: 'A second factor was removed',
      codes_guessed: 'Wrong codes were entered',
      answers: 'Answers to the member',
      digest: 'Weekly digest',
    },
  },
  {
    explanation:
      '邮件服务器尚未接收的邮件。系统会在两天内反复尝试，之后放弃；再过三天，邮件会被删除。邮箱地址仅显示一部分。',
    again: '正在发送该邮件。如果一分钟后它仍在列表中，说明发送失败。',
    gone: '该邮件已发送、已删除，或正在发送。',
    none: '没有待发送的邮件。',
    member: '成员',
    mail: '邮件',
    state: '状态',
    due: '即将发送',
    waiting: '下次尝试：',
    givenUp: '已放弃：',
    attempts: (count: number) => `已尝试 ${count} 次`,
    send: '重新发送',
    purposes: {
      confirm: '确认邮箱地址',
      reset: '设置新密码',
      email_changed: '邮箱地址已更改',
      email_removed: '邮箱地址已移除',
      email_restored: '邮箱地址已恢复',
      password_changed: '密码已更改',
      token_created: '已创建 API 令牌',
      api_token: 'API 令牌即将到期',
      credential_exposed: '凭据已公开泄露',
      email_added: '管理员设置了此邮箱',
      email_replaced: '管理员更换了此邮箱',
      reset_link_created: '管理员生成了密码链接',
      factor_reset_asked: '管理员移除第二重验证',
      renamed: '管理员更改了用户名',
      role_changed: '管理员更改了角色',
      account_suspended: '账号已暂停',
      content_removed: '文章或评论已移除',
      content_restored: '文章或评论已恢复',
      new_reports: '新的举报',
      endpoint_disabled: '已停止向应用发送事件',
      callbacks_changed: '应用的地址已更改',
      application_reviewed: '应用的审核结果',
      new_browser: '新浏览器登录',
      application_allowed: '已连接应用',
      application_widened: '应用的访问范围扩大',
      replay_detected: '凭据被重复使用',
      factor_added: '新增了第二重验证',
      factor_removed: '移除了第二重验证',
      codes_guessed: '多次输入错误的验证码',
      answers: '对成员的回应',
      digest: '每周精选',
    },
  },
);
