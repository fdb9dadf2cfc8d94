// The second factor in the security settings: setting up an authenticator app, removing it, and recovery codes.

import { html, raw } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import {
  type AppProblem,
  confirmApp,
  pendingApp,
  removeApp,
  renewRecoveryCodes,
  startApp,
} from '../../../identity/authenticator-app.ts';
import { cancelFactorReset } from '../../../identity/factor-reset.ts';
import type { User } from '../../../identity/user.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { type PageContext, sessionKeyOf } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { rememberMember } from '../joining/known-browser.ts';
import type { SiteParts } from '../site-parts.ts';
import { APP_PATH } from './factor-cards.ts';
import { settingsMenu, settingsPage } from './page.ts';

const SECURITY = '/settings/security';

/** Make a secret for a new app, and show it. */
export async function startAppSetup(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const isStarted = await startApp(by(site, c, user), site.identity);
  return c.redirect(isStarted ? APP_PATH : SECURITY, 303);
}

/** Show the secret of the app that waits for its first code. */
export async function appSetupPage(
  site: SiteParts,
  c: PageContext,
  user: User,
  problem?: AppProblem,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const shown = { site: c.get('site').name, username: user.username, sessionKey: sessionKeyOf(c) };
  const app = await pendingApp(site.identity, user.id, shown);
  if (app === undefined) return c.redirect(SECURITY, 303);
  const code = problem && problemText(problem, language);
  const field = inputField({
    name: 'code',
    label: t.code,
    hint: t.codeHint,
    problem: code,
    autocomplete: 'one-time-code',
    required: true,
    attributes: html`inputmode="numeric"`,
  });
  return settingsPage(
    c,
    SECURITY,
    { title: t.title, status: problem === undefined ? 200 : 'retryAfterSeconds' in problem ? 429 : 400 },
    html`
      <p class="eyebrow"><a href="${SECURITY}">${t.security}</a></p>
      <h1>${t.title}</h1>
      <section class="card">
        <h2>${t.scan}</h2>
        <p>${t.scanHint}</p>
        <div class="qr" role="img" aria-label="${t.qr}">${raw(await qrCode(app.uri))}</div>
        <p class="soft small">${t.orType}</p>
        <pre class="once" tabindex="0" aria-label="${t.key}">${grouped(app.secret)}</pre>
        <p class="small"><a href="${app.uri}">${t.open}</a></p>
      </section>
      <section class="card">
        <h2>${t.confirm}</h2>
        <form method="post" action="${APP_PATH}">
          ${formTokenField(c)}
          ${problemSummary({ code }, language)}
          ${field}
          <div class="actions">
            <a class="button" href="${SECURITY}">${t.cancel}</a>
            <button class="primary">${t.turnOn}</button>
          </div>
        </form>
      </section>`,
  );
}

/** Check the first code. From then on the app is a second factor. */
export async function finishAppSetup(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const result = await confirmApp(by(site, c, user), site.identity, {
    code: form.text('code'),
    sessionKey: sessionKeyOf(c),
  });
  if ('problem' in result) {
    if ('retryAfterSeconds' in result) retryAfter(c, result.retryAfterSeconds);
    return appSetupPage(site, c, user, result);
  }
  await rememberMember(site, c, { userId: user.id, hasFactor: true });
  if (result.recoveryCodes.length === 0) return c.redirect(`${SECURITY}?done=app`, 303);
  return recoveryCodesPage(c, result.recoveryCodes, true);
}

/** Ask before the app is removed. */
export function removeAuthenticatorPage(_: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.removeQuestion,
    menu: settingsMenu(c, SECURITY),
    consequences: t.removeConsequences,
    action: `${APP_PATH}/remove`,
    button: t.remove,
    back: { path: SECURITY, text: t.cancel },
  });
}

/** Remove the app. */
export async function removeAuthenticator(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  await removeApp(by(site, c, user), site.identity, sessionKeyOf(c));
  return c.redirect(`${SECURITY}?done=app_removed`, 303);
}

/** Replace the recovery codes, and show the new ones. */
export async function makeRecoveryCodes(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const codes = await renewRecoveryCodes(by(site, c, user), site.identity, sessionKeyOf(c));
  return codes === undefined ? c.redirect(SECURITY, 303) : recoveryCodesPage(c, codes, false);
}

/** Cancel the removal that an operator asked for. */
export async function keepOwnFactors(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  await cancelFactorReset(by(site, c, user), site.identity);
  return c.redirect(`${SECURITY}?done=factors_kept`, 303);
}

/** The codes. Only the response to the form that made them shows them. */
export function recoveryCodesPage(
  c: PageContext,
  codes: readonly string[],
  isFirstFactor: boolean,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  return settingsPage(
    c,
    SECURITY,
    { title: t.codes },
    html`
      <p class="eyebrow"><a href="${SECURITY}">${t.security}</a></p>
      <h1>${t.codes}</h1>
      ${isFirstFactor && html`<p class="notice" role="status">${t.turnedOn}</p>`}
      <section class="card fresh">
        <h2>${t.codesSave}</h2>
        <p>${t.codesWhy}</p>
        <pre class="once" tabindex="0" aria-label="${t.codes}">${codes.join('\n')}</pre>
      </section>
      <p><a class="button primary" href="${SECURITY}">${t.saved}</a></p>`,
  );
}

function by(site: SiteParts, c: PageContext, user: User) {
  return byMember(user, site.clock, site.clientAddress(c));
}

async function qrCode(text: string): Promise<string> {
  const { renderSVG } = await import('uqr');
  return renderSVG(text, { border: 2 });
}

function grouped(secret: string): Html {
  return html`${(secret.match(/.{1,4}/g) ?? []).join(' ')}`;
}

function problemText(problem: AppProblem, language: 'en' | 'zh'): string {
  const t = words[language];
  if (problem.problem !== 'too_many') return t.problems[problem.problem];
  return t.tooMany(waitText(problem.retryAfterSeconds, language));
}

const words = bilingual(
  {
    security: 'Security',
    title: 'Set up an authenticator app',
    scan: '1. Scan the code with your app',
    scanHint:
      'Any app for one-time codes works, such as Aegis, Google Authenticator, 1Password or the passwords app of your phone.',
    qr: 'QR code with the key below',
    orType: 'Can’t scan it? Type this key into the app:',
    key: 'Key',
    open: 'Open the app on this device',
    confirm: '2. Enter the first code',
    code: 'Code',
    codeHint: 'The six digits that the app shows now.',
    turnOn: 'Turn on',
    cancel: 'Cancel',
    problems: {
      wrong_code:
        'The code is incorrect. Check that the clock of your phone is set automatically, and try the next code.',
      outdated: 'You started again in another window. Scan the code above.',
    },
    tooMany: (wait: string) => `Too many incorrect codes. Try again in ${wait}.`,
    removeQuestion: 'Remove your authenticator app?',
    removeConsequences: [
      'Codes of the app no longer work.',
      'If you have no passkey either, your password alone signs you in, and your recovery codes are deleted.',
      'All other browsers are signed out. So are apps that run on a device or in a browser, unless you signed in to them from here.',
    ],
    remove: 'Remove app',
    codes: 'Recovery codes',
    turnedOn:
      'Two-step verification is on. Browsers that were signed in elsewhere were signed out, and so were the apps that you signed in to from there.',
    codesSave: 'Save these codes now',
    codesWhy:
      'If you lose your phone, a code signs you in. Each works once. They are shown only this time. Print them, or keep them in a password manager.',
    saved: 'I have saved the codes',
  },
  {
    security: '安全',
    title: '设置验证器应用',
    scan: '1. 用应用扫描二维码',
    scanHint:
      '任何支持一次性验证码的应用都可以，例如 Aegis、Google Authenticator、1Password，或手机自带的密码应用。',
    qr: '包含下方密钥的二维码',
    orType: '无法扫描？请在应用中输入此密钥：',
    key: '密钥',
    open: '在此设备上打开应用',
    confirm: '2. 输入第一个验证码',
    code: '验证码',
    codeHint: '应用当前显示的六位数字。',
    turnOn: '启用',
    cancel: '取消',
    problems: {
      wrong_code: '验证码不正确。请确认手机的时间已设为自动，然后输入下一个验证码。',
      outdated: '您在另一个窗口重新开始了设置，请扫描上方的二维码。',
    },
    tooMany: (wait) => `错误次数过多，请在 ${wait}后再试。`,
    removeQuestion: '移除验证器应用？',
    removeConsequences: [
      '应用的验证码不再有效。',
      '如果您没有通行密钥，之后仅凭密码即可登录，恢复代码也会被删除。',
      '其他所有浏览器都会退出登录。在设备或浏览器中运行的应用也会退出登录，从此浏览器登录的除外。',
    ],
    remove: '移除应用',
    codes: '恢复代码',
    turnedOn: '两步验证已启用，其他浏览器以及从那里登录的应用均已退出登录。',
    codesSave: '请立即保存这些代码',
    codesWhy:
      '丢失手机时，可以用一个代码登录。每个代码只能使用一次，并且只显示这一次。请打印出来，或存入密码管理器。',
    saved: '我已保存',
  },
);
