// A member's account as a whole: downloading its data, and closing it.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { type ClosingProblem, closeOwnAccount } from '../../../identity/account-closing.ts';
import { PROVEN } from '../../../identity/reauthentication.ts';
import type { User } from '../../../identity/user.ts';
import { described, explanations, inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { clockTimeOf, dayElement, offsetOf } from '../../pages/moments.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { consequenceList, questionPage } from '../../pages/question.ts';
import { clearSessionCookie, forgetVisitor, type PageContext } from '../../pages/visitor.ts';
import { retryAfter } from '../../pages/waiting.ts';
import type { SiteParts } from '../site-parts.ts';
import { EXPORT_PATH } from './export.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';
import { proofProblemWords } from './security-forms.ts';

const PATH = '/settings/account';
const CLOSING_PATH = `${PATH}/close`;

/** Show the account, with buttons to download its data and to close it. */
export function accountPage(_: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, PATH);
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      <section class="card">
        <div class="row spread">
          <strong>${user.username}</strong>
          <span class="soft">${t.since} ${dayElement(user.createdAt, c.get('visitor'))}</span>
        </div>
      </section>
      <section class="card">
        <h2>${t.data}</h2>
        <p>${t.dataContents} <a href="${PATH}/data">${t.keptData}</a></p>
        <form method="post" action="${EXPORT_PATH}">
          ${formTokenField(c)}
          <button class="primary">${t.download}</button>
        </form>
      </section>
      ${!c.get('site').isSandbox && closingCard(t)}`,
  );
}

function closingCard(t: (typeof words)['en']): Html {
  return html`
    <section class="card">
      <h2>${t.close}</h2>
      <p>${t.closeIsForGood}</p>
      <p><a class="button" href="${CLOSING_PATH}">${t.close}</a></p>
    </section>`;
}

/** Ask before the account is closed, also after the form was refused. The last operator can't close it. */
export async function closeAccountPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  problem?: ClosingProblem['problem'] | 'not_sure',
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const isLast = user.isOperator && !(await site.identity.reads.hasOtherOperator(user.id));
  if (isLast || problem === 'last_operator') return lastOperatorPage(c, problem === undefined ? 200 : 409);
  const password =
    problem === undefined || problem === 'not_sure' ? undefined : proofProblemWords(problem, language);
  const sure = problem === 'not_sure' ? t.notSure : undefined;
  return questionPage(c, {
    title: t.question,
    status: problem === 'too_many_attempts' ? 429 : problem === undefined ? 200 : 400,
    menu: settingsMenu(c, PATH),
    consequences: t.consequences,
    fields: closingFields(c, user, password, sure),
    action: CLOSING_PATH,
    button: t.close,
    back: { path: PATH, text: t.cancel },
  });
}

function closingFields(
  c: PageContext,
  { hasFactor }: User,
  password: string | undefined,
  sure: string | undefined,
): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const passwordField = inputField({
    name: 'password',
    type: 'password',
    label: t.password,
    problem: password,
    autocomplete: 'current-password',
    required: true,
  });
  const sureField = { name: 'sure', problem: sure };
  return html`
    ${problemSummary({ password, sure }, language)}
    ${!hasFactor && passwordField}
    <div class="field">
      ${explanations(sureField)}
      <label class="check">
        <input type="checkbox" id="sure" name="sure" value="1"${described(sureField)}>
        ${t.sure}
      </label>
    </div>`;
}

function lastOperatorPage(c: PageContext, status: 200 | 409): Promise<Response> {
  const t = words[c.get('visitor').language];
  return settingsPage(
    c,
    PATH,
    { title: t.question, status },
    html`
      <h1>${t.question}</h1>
      ${consequenceList(t.consequences)}
      <p class="notice wrong" role="status">${t.lastOperator}</p>
      <p><a class="button" href="${PATH}">${t.back}</a></p>`,
  );
}

/** Close the account, and say goodbye. */
export async function closeAccount(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  if (!form.has('sure')) return closeAccountPage(site, c, user, 'not_sure');
  const refusal = await closeOwnAccount(
    byMember(user, site.clock, site.clientAddress(c)),
    site.identity,
    user.hasFactor ? PROVEN : form.text('password'),
  );
  if (refusal === undefined) return farewellPage(site, c, user);
  if ('retryAfterSeconds' in refusal) retryAfter(c, refusal.retryAfterSeconds);
  return closeAccountPage(site, c, user, refusal.problem);
}

// The answer to the form itself: the session is gone, so no other page could show this to the member.
function farewellPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  clearSessionCookie(c);
  forgetVisitor(c);
  const now = site.clock();
  return page(
    c,
    { title: t.closed },
    html`
      <div class="narrow">
        <h1>${t.closed}</h1>
        <p class="notice" role="status">
          <strong>${t.closedAt(user.username, clockTimeOf(now, c.get('visitor')))}</strong>
          <span class="soft">${dayElement(now, c.get('visitor'))} (${offsetOf(now, c.get('visitor'))})</span>
        </p>
        <p>${t.gone}</p>
        <p><a class="button" href="/">${t.home}</a></p>
      </div>`,
  );
}

const words = bilingual(
  {
    since: 'Joined',
    data: 'Download your data',
    dataContents:
      'One JSON file with your profile, posts (including drafts and removed posts), comments, likes, notifications, connected applications, API tokens, access diary and security events. You can download it three times a day.',
    keptData: 'What is kept, why, and how long',
    download: 'Download data',
    close: 'Close your account',
    closeIsForGood: 'This can’t be undone. The next page tells you what happens.',
    question: 'Close your account?',
    consequences: [
      'You’re signed out everywhere at once and can’t sign in again.',
      'Your posts, drafts and comments are removed.',
      'Your picture, bio and email address are deleted.',
      'Connected applications and API tokens stop working at once. Data that applications already copied stays with them.',
      'Applications that you registered are deactivated, and left to the operators.',
      'Your username can’t be used again, so no one can pretend to be you.',
      'This can’t be undone.',
    ],
    lastOperator:
      'You are the only operator of this community, and it needs one. Make another member an operator first.',
    cancel: 'Cancel',
    back: 'Back to your account',
    password: 'Your password',
    sure: 'I understand that this can’t be undone.',
    notSure: 'Tick the box to confirm that you understand this.',
    closed: 'Your account is closed',
    closedAt: (username: string, time: string) => `The account ${username} was closed at ${time}.`,
    gone: 'You were signed out everywhere, your posts and comments were removed, and your picture, bio and email address were deleted. Thank you for being part of this community.',
    home: 'Go to the home page',
  },
  {
    since: '加入于',
    data: '下载您的数据',
    dataContents:
      '一个 JSON 文件，包含您的个人资料、全部文章（含草稿和已移除的）、评论、点赞和通知，以及您连接的应用、API 令牌、访问日记和安全事件。每天最多可下载三次。',
    keptData: '保存了哪些信息、用途和期限',
    download: '下载数据',
    close: '关闭账号',
    closeIsForGood: '此操作无法撤销。下一页会说明后果。',
    question: '关闭您的账号？',
    consequences: [
      '您会立即在所有设备上退出，并且再也无法登录。',
      '您的文章、草稿和评论会被移除。',
      '您的头像、简介和邮箱地址会被删除。',
      '已连接的应用和 API 令牌立即失效。应用此前复制的数据仍保留在该应用中。',
      '您注册的应用会被停用，并交由社区管理员管理。',
      '您的用户名会一直保留，以免有人冒充您。',
      '此操作无法撤销。',
    ],
    lastOperator: '您是本社区唯一的管理员，而社区不能没有管理员。请先将另一位成员设为管理员。',
    cancel: '取消',
    back: '返回您的账号',
    password: '您的密码',
    sure: '我知道此操作无法撤销。',
    notSure: '请勾选，确认您知道此操作无法撤销。',
    closed: '您的账号已关闭',
    closedAt: (username: string, time: string) => `${username} 的账号已于 ${time} 关闭。`,
    gone: '您已在所有设备上退出，您的文章和评论已被移除，头像、简介和邮箱地址已被删除。感谢您曾与我们同行。',
    home: '回到首页',
  },
);
