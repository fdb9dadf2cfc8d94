// The browsers that a member is signed in with, and signing one or all others out.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { SignedInBrowser } from '../../../identity/browser-store.ts';
import {
  canSignOutOthers,
  signedInBrowsers,
  signOutBrowser,
  signOutOthers,
} from '../../../identity/browsers.ts';
import { SESSION_IDLE, SESSION_LIFETIME } from '../../../identity/session.ts';
import type { User } from '../../../identity/user.ts';
import { DAY, type Timestamp } from '../../../lib/clock.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement, clockTimeOf, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { questionPage } from '../../pages/question.ts';
import { type PageContext, sessionKeyOf } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsMenu, settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/browsers';
const SIGN_OUT_PATH = `${PATH}/sign-out`;

/** List the browsers. */
export async function browsersPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = settingsTitle(c, PATH);
  const browsers = await signedInBrowsers(site.identity, user.id);
  const hasOthers = await canSignOutOthers(site.identity, user.id, sessionKeyOf(c));
  const done = c.req.query('done');
  const now = site.clock();
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${notice(done === 'one' ? t.done.one : done === 'others' ? t.done.others : undefined)}
      <p class="soft">${t.explanation(SESSION_IDLE / DAY, SESSION_LIFETIME / DAY)}</p>
      ${browsers.map((browser) => browserCard(c, browser, now))}
      ${hasOthers && html`<p><a class="button" href="${SIGN_OUT_PATH}">${t.signOutOthers}</a></p>`}
      <p class="soft">${t.unknown} <a href="/settings/security#change-password">${t.changePassword}</a></p>`,
  );
}

function browserCard(c: PageContext, browser: SignedInBrowser, now: Timestamp): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  const { key, network, lastNetwork, signedInAt, lastSeenAt } = browser;
  const isHere = key === visitor.visit?.sessionKey;
  const name = nameOf(browser, c);
  const hasMoved = lastNetwork !== undefined && lastNetwork !== network;
  return html`
    <section class="card">
      <div class="row spread">
        <h2>${name}${isHere && html` <span class="badge">${t.here}</span>`}</h2>
        ${isHere ? signOutHere(c) : signOutLink(key, name, t)}
      </div>
      <dl class="facts">
        <dt>${t.signedIn}</dt>
        <dd>${dayElement(signedInAt, visitor)}, ${clockTimeOf(signedInAt, visitor)}${from(network, t)}</dd>
        <dt>${t.lastSeen}</dt>
        <dd>${isHere ? t.now : agoElement(lastSeenAt, now, visitor)}${hasMoved && from(lastNetwork, t)}</dd>
      </dl>
    </section>`;
}

function nameOf({ program }: SignedInBrowser, c: PageContext): string {
  return program === '' ? words[c.get('visitor').language].unknownBrowser : program;
}

function from(network: string | undefined, t: Words): string {
  return network === undefined ? '' : t.from(network);
}

function signOutLink(key: string, name: string, t: Words): Html {
  const path = `${SIGN_OUT_PATH}?browser=${key}`;
  return html`<a class="button" href="${path}" aria-label="${t.signOut}: ${name}">${t.signOut}</a>`;
}

function signOutHere(c: PageContext): Html {
  return html`
    <form method="post" action="/logout">
      ${formTokenField(c)}
      <button>${words[c.get('visitor').language].signOut}</button>
    </form>`;
}

/** Ask before one browser in the query is signed out, or all others. */
export async function signOutBrowserPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const t = words[c.get('visitor').language];
  const key = c.req.query('browser') ?? '';
  const browsers = await signedInBrowsers(site.identity, user.id);
  const browser = browsers.find((one) => one.key === key);
  // Another page has signed it out meanwhile.
  if (key !== '' && browser === undefined) return c.redirect(`${PATH}?done=one`, 303);
  return questionPage(c, {
    title: browser === undefined ? t.askOthers : t.askOne(nameOf(browser, c)),
    menu: settingsMenu(c, PATH),
    consequences: browser === undefined ? t.othersMeans : t.oneMeans,
    fields: html`<input type="hidden" name="browser" value="${key}">`,
    action: SIGN_OUT_PATH,
    button: browser === undefined ? t.signOutOthers : t.signOut,
    back: { path: PATH, text: t.cancel },
  });
}

/** Sign one browser out, or all others. */
export async function signOutBrowsers(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const key = form.text('browser');
  const by = byMember(user, site.clock, site.clientAddress(c));
  if (key === '') await signOutOthers(by, site.identity, sessionKeyOf(c));
  else await signOutBrowser(by, site.identity, key);
  return c.redirect(`${PATH}?done=${key === '' ? 'others' : 'one'}`, 303);
}

type Words = (typeof words)['en'];

const words = bilingual(
  {
    explanation: (idle: number, most: number) =>
      `You’re signed in with these browsers. Each is signed out after ${idle} days without a visit, and after ${most} days in any case. The last visit is recorded about once an hour.`,
    here: 'This browser',
    unknownBrowser: 'Unknown browser',
    signedIn: 'Signed in',
    lastSeen: 'Last visit',
    now: 'now',
    from: (network: string) => ` from ${network}`,
    signOut: 'Sign out',
    signOutOthers: 'Sign out all other browsers',
    unknown: 'You don’t recognise one? Someone may know your password.',
    changePassword: 'Change your password',
    askOne: (name: string) => `Sign out ${name}?`,
    askOthers: 'Sign out all other browsers?',
    oneMeans: [
      'It takes effect at once. To use the site there, you have to sign in again.',
      'Apps that run on a device or in a browser are signed out too, if you signed in to them from there.',
      'Other connected applications and API tokens keep working.',
    ],
    othersMeans: [
      'It takes effect at once. To use the site there, you have to sign in again.',
      'Apps that run on a device or in a browser are signed out too, unless you signed in to them from here.',
      'Other connected applications and API tokens keep working.',
    ],
    cancel: 'Cancel',
    done: {
      one: 'Browser signed out.',
      others: 'All other browsers signed out. You’re still signed in here.',
    },
  },
  {
    explanation: (idle: number, most: number) =>
      `您已在这些浏览器登录。连续 ${idle} 天没有访问，或登录满 ${most} 天后，浏览器会自动退出。最近访问时间约每小时记录一次。`,
    here: '此浏览器',
    unknownBrowser: '未知浏览器',
    signedIn: '登录于',
    lastSeen: '最近访问',
    now: '现在',
    from: (network: string) => `，来自 ${network}`,
    signOut: '退出',
    signOutOthers: '退出所有其他浏览器',
    unknown: '有您不认识的浏览器？可能有他人知道您的密码。',
    changePassword: '更改密码',
    askOne: (name: string) => `退出 ${name}？`,
    askOthers: '退出所有其他浏览器？',
    oneMeans: [
      '立即生效。在那里继续使用本站需要重新登录。',
      '从那里登录的、在设备或浏览器中运行的应用也会退出登录。',
      '其他已连接的应用和 API 令牌仍可使用。',
    ],
    othersMeans: [
      '立即生效。在那里继续使用本站需要重新登录。',
      '在设备或浏览器中运行的应用也会退出登录，从此浏览器登录的除外。',
      '其他已连接的应用和 API 令牌仍可使用。',
    ],
    cancel: '取消',
    done: {
      one: '浏览器已退出登录。',
      others: '其他浏览器均已退出，此浏览器仍保持登录。',
    },
  },
);
