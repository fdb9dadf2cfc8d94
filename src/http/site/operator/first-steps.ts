// The first steps of a new community, for operators: shown until all are done, or until an operator hides them.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { DEFAULT_CATEGORY } from '../../../community/category.ts';
import { looksLikeEmail } from '../../../identity/email-address.ts';
import { invitations } from '../../../identity/invitation.ts';
import { lacksFactor } from '../../../identity/required-factor.ts';
import type { User } from '../../../identity/user.ts';
import { Undelivered } from '../../../lib/mail.ts';
import { DEFAULT_SETTINGS } from '../../../site/settings.ts';
import { changeSettings } from '../../../site/site.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { currentSite, type PageContext } from '../../pages/visitor.ts';
import { testLetter } from '../joining/letters.ts';
import type { SiteParts } from '../site-parts.ts';

/** The path of the forms in the list. */
export const STEPS_PATH = '/operator/first-steps';

const STEPS = ['name', 'mail', 'category', 'invitation', 'backup', 'factor'] as const;
type Step = (typeof STEPS)[number];

/** What became of the test mail. The error has the mail server's answer in short. */
export type MailTest = { to: string; error?: string } | 'no_address';

/** List the steps with links to what is left. Empty once all are done, or if an operator has hidden the list. */
export async function firstSteps(parts: SiteParts, c: PageContext, user: User): Promise<Html | ''> {
  if (c.get('site').firstSteps === 'dismissed') return '';
  const done = await doneSteps(parts, c, user);
  if (done.size === STEPS.length) return '';
  const t = words[c.get('visitor').language];
  return html`
    <section class="card">
      <div class="row spread">
        <h2>${t.title}</h2>
        ${button(c, 'dismiss', t.dismiss)}
      </div>
      <ol class="steps">
        ${STEPS.map((step) => (done.has(step) ? doneItem(t, step) : html`<li>${stepItem(parts, c, user, step)}</li>`))}
      </ol>
    </section>`;
}

function doneItem(t: Words, step: Step): Html {
  return html`<li class="soft">${t.names[step]} <span class="badge">${t.done}</span></li>`;
}

function stepItem({ hasMailServer }: SiteParts, c: PageContext, user: User, step: Step): Html {
  const t = words[c.get('visitor').language];
  const { names, texts } = t;
  switch (step) {
    case 'name':
      return html`<a href="/operator/settings">${names.name}</a><p class="soft">${texts.name}</p>`;
    case 'category':
      return html`<a href="/operator/categories">${names.category}</a><p class="soft">${texts.category}</p>`;
    case 'invitation':
      return html`<a href="/operator/invitations">${names.invitation}</a><p class="soft">${texts.invitation}</p>`;
    case 'factor':
      return html`<a href="/settings/security#second-factor">${names.factor}</a><p class="soft">${texts.factor}</p>`;
    case 'backup':
      return html`
        ${names.backup}
        <p class="soft">${texts.backup} <code>npm run -s portico -- backup FILE</code></p>
        ${button(c, 'backup', t.backedUp)}`;
    case 'mail':
      if (!hasMailServer) return html`${names.mail}<p class="soft">${texts.noServer}</p>`;
      return html`${names.mail}${mailForm(c, user.email)}`;
  }
}

function mailForm(c: PageContext, email: string | undefined): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${STEPS_PATH}">
      ${formTokenField(c)}
      ${inputField({ name: 'to', type: 'email', label: t.to, hint: t.texts.mail, value: email ?? '', required: true })}
      <button name="do" value="mail">${t.send}</button>
    </form>`;
}

function button(c: PageContext, act: 'dismiss' | 'mail' | 'backup', text: string): Html {
  return html`
    <form method="post" action="${STEPS_PATH}">
      ${formTokenField(c)}
      <button name="do" value="${act}">${text}</button>
    </form>`;
}

async function doneSteps(parts: SiteParts, c: PageContext, user: User): Promise<ReadonlySet<Step>> {
  const { community, identity, audit } = parts;
  const site = c.get('site');
  const [categories, invited, work] = await Promise.all([
    community.reads.categories(),
    invitations(identity, { most: 1 }),
    audit.reads.backgroundWork(),
  ]);
  const isDone: Record<Step, boolean> = {
    name: site.name !== DEFAULT_SETTINGS.name,
    mail: site.mailTested === 'yes',
    // A new community has one category, with this name.
    category: categories.length > 1 || categories[0]?.name !== DEFAULT_CATEGORY,
    invitation: invited.length > 0,
    backup:
      site.backedUp === 'yes' || work.some(({ name, ranAt }) => name === 'backups' && ranAt !== undefined),
    factor: user.hasFactor || !lacksFactor(user, site.secondFactor),
  };
  return new Set(STEPS.filter((step) => isDone[step]));
}

/** Do what a button of the list says. Returns what became of a test mail. */
export async function doStep(
  parts: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<MailTest | undefined> {
  const { site, clock } = parts;
  const by = byOperator(operator, clock);
  const act = form.text('do');
  if (act === 'dismiss') await changeSettings(by, site, { firstSteps: 'dismissed' });
  if (act === 'backup') await changeSettings(by, site, { backedUp: 'yes' });
  if (act !== 'mail') return undefined;
  const test = await testMail(parts, c, form.text('to'));
  if (test !== 'no_address' && test.error === undefined) {
    await changeSettings(by, site, { mailTested: 'yes' });
    c.set('site', await currentSite(site));
  }
  return test;
}

async function testMail({ sendMail }: SiteParts, c: PageContext, text: string): Promise<MailTest> {
  const to = text.trim();
  if (!looksLikeEmail(to)) return 'no_address';
  try {
    await sendMail(testLetter(c.get('site'), to, c.get('visitor').language));
    return { to };
  } catch (error) {
    if (error instanceof Undelivered) return { to, error: error.message };
    throw error;
  }
}

/** Say what became of a test mail. */
export function mailTestText(c: PageContext, test: MailTest): string {
  const t = words[c.get('visitor').language];
  if (test === 'no_address') return t.noAddress;
  return test.error === undefined ? t.sent(test.to) : t.failed(test.error);
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    title: 'First steps',
    dismiss: 'Hide this list',
    done: 'Done',
    names: {
      name: 'Name your community',
      mail: 'Test the mail',
      category: 'Add the first category',
      invitation: 'Invite somebody',
      backup: 'Set up backups',
      factor: 'Protect your account',
    },
    texts: {
      name: 'Choose a name, a sentence that says what it is about, and a contact.',
      mail: 'We send a mail to this address at once, and show what the mail server answers.',
      noServer:
        'Set SMTP_URL and start the server again. Until then mails are files on the server, and nobody can reset a forgotten password.',
      category: 'Posts are in categories. There is one, “General”: rename it, or add another.',
      invitation: 'Create a link for the first member.',
      backup:
        'A copy of everything, also while the server runs. Run this every day, and keep the files elsewhere:',
      factor: 'Set up two-step verification. Operators and moderators have seven days for it.',
    },
    to: 'Your email address',
    noAddress: 'Enter an email address, such as you@mail.example.',
    send: 'Send test mail',
    backedUp: 'Backups are set up',
    sent: (email: string) => `The mail server took a mail to ${email}. Check that it arrives.`,
    failed: (error: string) =>
      `The mail server didn’t take the mail: ${error}. Check SMTP_URL and MAIL_FROM, and try again.`,
  },
  {
    title: '首先要做的事',
    dismiss: '隐藏此列表',
    done: '已完成',
    names: {
      name: '为社区取名',
      mail: '测试邮件',
      category: '添加第一个分类',
      invitation: '邀请一位成员',
      backup: '设置备份',
      factor: '保护您的账号',
    },
    texts: {
      name: '填写名称、一句话介绍和联系方式。',
      mail: '我们会立即向此邮箱发送邮件，并显示邮件服务器的答复。',
      noServer:
        '请设置 SMTP_URL 并重新启动程序。在此之前，邮件只会保存为服务器上的文件，忘记密码的成员无法重设密码。',
      category: '文章归入分类。目前只有“General”，请更名或新增一个分类。',
      invitation: '为第一位成员创建邀请链接。',
      backup: '备份包含全部数据，程序运行时也可以进行。请每天运行以下命令，并将文件保存在别处：',
      factor: '启用两步验证。管理员和版主有七天时间设置。',
    },
    to: '您的邮箱',
    noAddress: '请填写邮箱，例如 you@mail.example。',
    send: '发送测试邮件',
    backedUp: '已设置备份',
    sent: (email) => `邮件服务器已接收发往 ${email} 的邮件，请确认是否收到。`,
    failed: (error) => `邮件服务器拒绝了邮件：${error}。请检查 SMTP_URL 和 MAIL_FROM，然后重试。`,
  },
);
