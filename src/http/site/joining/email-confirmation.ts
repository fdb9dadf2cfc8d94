// The pages behind the link in a confirmation mail. Opening it changes nothing: mail scanners open links. Only
// the member whose account it is for can confirm: the reader of a mistyped address must not get the account.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { confirmEmail, type LinkedAddress, openConfirmation } from '../../../identity/email.ts';
import type { User } from '../../../identity/user.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, linkToken } from '../../pages/link-token.ts';
import { page } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { loginPath } from '../../pages/return-path.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { CONFIRM_PATH } from './letters.ts';
import { outcomePage } from './outcome-page.ts';
import { waitingLink } from './waiting-link.ts';

/** Ask the visitor to confirm the address that the link was mailed to. */
export async function confirmAddressPage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'confirm');
  if (token instanceof Response) return token;
  const confirmation = await openConfirmation(site.identity, token);
  if (confirmation === undefined) return outcomeOf(site, c, 'unusable');
  if (c.get('visitor').visit?.user.id !== confirmation.userId) return signInPage(c, confirmation);
  const t = words[c.get('visitor').language];
  return questionPage(c, {
    title: t.title,
    explanation: html`<p>${t.question(confirmation.email, confirmation.username)}</p>`,
    fields: html`<input type="hidden" name="token" value="${token}">`,
    action: CONFIRM_PATH,
    button: t.confirm,
    isDangerous: false,
    note: t.otherwise,
  });
}

/** Confirm the address. */
export async function confirmAddress(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const token = form.text('token');
  const by = byMember(user, site.clock, site.clientAddress(c));
  const outcome = await confirmEmail(by, site.identity, token, language);
  // The member changed in another tab. The page asks for the right one.
  if (outcome === 'other_account') return c.redirect(CONFIRM_PATH, 303);
  forgetLinkToken(c, 'confirm');
  return outcome === 'confirmed' ? c.redirect(`${CONFIRM_PATH}/done`, 303) : outcomeOf(site, c, outcome);
}

function signInPage(c: PageContext, { username, email }: LinkedAddress): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.title, status: 403 },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        <p>${t.signInFirst(email, username)}</p>
        <p><a class="button primary" href="${loginPath(CONFIRM_PATH, { hint: username })}">${t.signIn}</a></p>
        <p class="soft">${t.otherwise}</p>
      </div>`,
  );
}

/** Say that the address is confirmed. */
export function addressConfirmedPage(site: SiteParts, c: PageContext): Promise<Response> {
  return outcomeOf(site, c, 'confirmed');
}

const STATUS = { confirmed: 200, taken: 409, unusable: 403 } as const;

async function outcomeOf(site: SiteParts, c: PageContext, kind: keyof typeof STATUS): Promise<Response> {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const waiting = kind === 'confirmed' ? await waitingLink(site, c) : undefined;
  const link = visit === undefined ? ['/login', t.signIn] : ['/settings/security', t.settings];
  const next = waiting ?? html`<p><a class="button" href="${link[0]}">${link[1]}</a></p>`;
  return outcomePage(c, STATUS[kind], t.outcomes[kind], next);
}

const words = bilingual(
  {
    title: 'Confirm your email address',
    question: (email: string, username: string) => `Use ${email} for the account ${username}?`,
    signInFirst: (email: string, username: string) =>
      `To use ${email} for the account ${username}, sign in to that account first.`,
    confirm: 'Confirm address',
    otherwise: 'If you don’t recognise this account, close the page. Nothing will change.',
    signIn: 'Sign in',
    settings: 'Go to settings',
    outcomes: {
      confirmed: {
        title: 'Email address confirmed',
        text: 'If you forget your password, we can email you a link to set a new one.',
      },
      taken: {
        title: 'This address belongs to another account',
        text: 'Another account confirmed it first. If that account is yours, sign in to it. Otherwise, enter a different address in your settings.',
      },
      unusable: {
        title: 'This link is not valid',
        text: 'It was already used, has expired, or is incomplete. You can request a new one in your settings.',
      },
    },
  },
  {
    title: '确认您的邮箱',
    question: (email: string, username: string) => `将 ${email} 设为账号 ${username} 的邮箱？`,
    signInFirst: (email: string, username: string) =>
      `要将 ${email} 设为账号 ${username} 的邮箱，请先登录该账号。`,
    confirm: '确认邮箱',
    otherwise: '如果您不认识此账号，请关闭此页面，不会有任何更改。',
    signIn: '登录',
    settings: '前往设置',
    outcomes: {
      confirmed: { title: '邮箱已确认', text: '忘记密码时，我们可以向此邮箱发送设置新密码的链接。' },
      taken: {
        title: '此邮箱属于另一个账号',
        text: '另一个账号已先确认了此邮箱。如果那是您的账号，请用它登录；否则请在设置中填写其他邮箱。',
      },
      unusable: {
        title: '此链接无法使用',
        text: '链接已被使用、已过期或不完整。您可以在设置中重新获取链接。',
      },
    },
  },
);
