// The second step of signing in: a code of the member's app, or a recovery code. A sealed cookie says whose
// password was right; it is no session.

import { setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { SealedAccount } from '../../../identity/known-browser.ts';
import {
  openSignIn,
  SIGN_IN_STEP_LIFETIME,
  sealSignIn,
  signInWithCode,
} from '../../../identity/second-factor.ts';
import { HOUR, SECOND } from '../../../lib/clock.ts';
import { cookieOf } from '../../pages/cookie.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { page, visitorFormTokenField } from '../../pages/page.ts';
import { formTargetsOfReturn, loginPath, uiLocalesOfReturn } from '../../pages/return-path.ts';
import {
  cookieName,
  cookieOptions,
  type PageContext,
  programOf,
  useRequestedLanguage,
} from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { PASSKEY_SCRIPT } from '../../static-files.ts';
import { siteOfPasskeys } from '../passkey-button.ts';
import type { SiteParts } from '../site-parts.ts';
import { codeField } from './code-field.ts';
import { finishSignIn } from './finished-sign-in.ts';
import { knownBrowser } from './known-browser.ts';
import { passkeyForm } from './passkey-form.ts';

const PATH = '/login/verify';
const COOKIE = 'sign-in';

/** Go to the second step, with a note that the visitor knows the password of the account. */
export async function toSecondStep(
  site: SiteParts,
  c: PageContext,
  account: SealedAccount,
  returnTo: string,
): Promise<Response> {
  const note = sealSignIn(await site.signInSecret(), account, site.clock());
  const maxAge = SIGN_IN_STEP_LIFETIME / SECOND;
  setCookie(c, cookieName(c, COOKIE), note, { ...cookieOptions(c), maxAge });
  return c.redirect(`${PATH}?${new URLSearchParams({ return_to: returnTo })}`, 303);
}

/** Ask for the code. */
export async function secondStepPage(site: SiteParts, c: PageContext): Promise<Response> {
  const returnTo = localPath(c.req.query('return_to'));
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  const account = await accountOf(site, c);
  if (account === undefined) return c.redirect(loginPath(returnTo), 303);
  return pageOfCode(site, c, account, { returnTo, wantsRecovery: c.req.query('recovery') === '1' });
}

/** Check the code, and finish the sign-in. */
export async function verifySignIn(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const returnTo = localPath(form.text('return_to'));
  useRequestedLanguage(c, uiLocalesOfReturn(returnTo));
  const account = await accountOf(site, c);
  if (account === undefined) return c.redirect(loginPath(returnTo), 303);
  const { language } = c.get('visitor');
  const t = words[language];
  const result = await signInWithCode(site.identity, account, form.text('code'), {
    address: site.clientAddress(c),
    browser: await knownBrowser(site, c),
    program: programOf(c),
  });
  if (result.outcome === 'signed_in') {
    setCookie(c, cookieName(c, COOKIE), '', { ...cookieOptions(c), maxAge: 0 });
    return finishSignIn(site, c, { ...account, hasFactor: true }, result.cookie, returnTo);
  }
  const state = { returnTo, wantsRecovery: form.has('recovery') };
  if (result.outcome === 'wrong')
    return pageOfCode(site, c, account, { ...state, problem: t.wrong, status: 400 });
  retryAfter(c, result.retryAfterSeconds);
  const isLong = result.retryAfterSeconds * SECOND > HOUR;
  const problem = isLong ? t.locked : t.tooMany(waitText(result.retryAfterSeconds, language));
  return pageOfCode(site, c, account, { ...state, problem, status: 429 });
}

async function accountOf(site: SiteParts, c: PageContext): Promise<SealedAccount | undefined> {
  return openSignIn(site.identity, await site.signInSecret(), cookieOf(c, cookieName(c, COOKIE)));
}

interface StepState {
  returnTo: string;
  wantsRecovery: boolean;
  problem?: string;
  status?: 400 | 429;
}

async function pageOfCode(
  site: SiteParts,
  c: PageContext,
  { userId }: SealedAccount,
  { returnTo, wantsRecovery, problem, status }: StepState,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const { appSince, passkeys } = await site.identity.reads.factorsOf(userId);
  const hasPasskey = passkeys > 0 && siteOfPasskeys(c) !== undefined;
  const isRecovery = wantsRecovery || appSince === undefined;
  const query = new URLSearchParams({ return_to: returnTo, ...(!isRecovery && { recovery: '1' }) });
  const other = isRecovery ? t.useApp : t.useRecovery;
  return page(
    c,
    {
      title: t.title,
      status: status ?? 200,
      formTargets: await formTargetsOfReturn(site.oauth, returnTo),
      ...(hasPasskey && { script: PASSKEY_SCRIPT }),
    },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        ${problem !== undefined && html`<p class="notice error" role="alert" id="problem">${problem}</p>`}
        <form method="post" action="${PATH}">
          ${visitorFormTokenField(c)}
          <input type="hidden" name="return_to" value="${returnTo}">
          ${isRecovery && html`<input type="hidden" name="recovery" value="1">`}
          ${codeField(language, { isRecovery, isProblem: problem !== undefined })}
          <div class="actions">
            <button class="primary">${t.verify}</button>
          </div>
        </form>
        ${hasPasskey && (await passkeyForm(site, c, { returnTo, isConditional: false }))}
        ${appSince !== undefined && html`<p class="soft"><a href="${PATH}?${query}">${other}</a></p>`}
        <p class="soft">${t.lost}</p>
        <p class="soft"><a href="${loginPath(returnTo)}">${t.back}</a></p>
      </div>`,
  );
}

const words = bilingual(
  {
    title: 'Verify your identity',
    verify: 'Verify',
    wrong:
      'The code is incorrect, or it was used before. Check the clock of your device, and enter the code that the app shows now.',
    tooMany: (wait: string) => `Too many incorrect codes. Try again in ${wait}.`,
    locked:
      'Too many incorrect codes. Use a recovery code or a passkey, or set a new password: whoever entered these codes knows this one.',
    useRecovery: 'Use a recovery code instead',
    useApp: 'Use the code of your app instead',
    lost: 'If you have lost both, ask the operators of this community.',
    back: 'Start again',
  },
  {
    title: '验证您的身份',
    verify: '验证',
    wrong: '验证码不正确，或已使用过。请检查设备的时间，然后输入应用当前显示的验证码。',
    tooMany: (wait) => `错误次数过多，请在 ${wait}后再试。`,
    locked: '错误的验证码过多。请使用恢复代码或通行密钥，或设置新密码：输入这些验证码的人知道现在的密码。',
    useRecovery: '改用恢复代码',
    useApp: '改用验证器应用',
    lost: '如果两者都已丢失，请联系社区管理员。',
    back: '重新登录',
  },
);
