// The welcome on the first page after signing up, which can be any page of the site.

import { html } from 'hono/html';
import { leaveFlash, takeFlash } from './flash.ts';
import { bilingual } from './language.ts';
import type { PageContext } from './visitor.ts';

type Html = ReturnType<typeof html>;

/** Leave the welcome for the next page. `isMailed`: a link to confirm an address is on its way. */
export function leaveWelcome(c: PageContext, isMailed: boolean): void {
  leaveFlash(c, isMailed ? 'welcome_mail' : 'welcome');
}

/** Show the welcome that was left for this page. */
export function welcomeNotice(c: PageContext): Html | '' {
  const { visit, language } = c.get('visitor');
  if (visit === undefined) return '';
  const isMailed = takeFlash(c, 'welcome_mail') !== undefined;
  if (!isMailed && takeFlash(c, 'welcome') === undefined) return '';
  const t = words[language];
  return html`
    <div class="notice" role="status" id="welcome">
      <strong>${t.welcome(visit.user.username)}</strong>
      ${isMailed ? t.mailed : html`${t.noAddress} <a href="/settings/security">${t.addAddress}</a>`}
    </div>`;
}

const words = bilingual(
  {
    welcome: (username: string) => `Welcome, ${username}. Your account is ready.`,
    mailed:
      'An email with a link is on its way to you. Open the link to confirm your address. If it doesn’t arrive, check your spam folder.',
    noAddress: 'Without an email address you can’t set a new password if you forget yours.',
    addAddress: 'Add an email address',
  },
  {
    welcome: (username) => `${username}，欢迎加入！账号已创建。`,
    mailed: '确认邮件已发出，请打开其中的链接确认您的邮箱。如果没有收到，请查看垃圾邮件。',
    noAddress: '没有邮箱，忘记密码时将无法重设。',
    addAddress: '添加邮箱',
  },
);
