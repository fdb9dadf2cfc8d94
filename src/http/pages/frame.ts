// What stands above and below every page: where one is, what there is to go to, and who one is here.

import { html, raw } from 'hono/html';
import { MOST_UNREAD } from '../../community/notification.ts';
import { pathOf } from '../request-form.ts';
import { ARCH } from '../static-files.ts';
import { avatarPath } from './avatar-path.ts';
import { bilingual, LANGUAGE_TAGS } from './language.ts';
import { formToken, type PageContext, type Visitor } from './visitor.ts';

type Html = ReturnType<typeof html>;

const MAGNIFIER = 'M10.5 18a7.5 7.5 0 1 1 0-15 7.5 7.5 0 0 1 0 15ZM16 16l5.5 5.5';
const BELL = 'M5.5 17V11a6.5 6.5 0 0 1 13 0v6l1.5 1.5H4ZM10 21.5h4';

/** The header: the site's name, search, and what is the visitor's own. */
export function header(c: PageContext, unread: number): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const own = visit === undefined ? strangersLinks(c) : membersLinks(c, visit.user, unread);
  return html`<header class="site"><div><a class="mark" href="/">${drawing(ARCH)}<span>${c.get('site').name}</span></a>
<form class="quick-search more" action="/search"><input type="search" name="q" aria-label="${t.search}" placeholder="${t.search}" maxlength="200"></form>
<nav aria-label="${t.navigation}"><a class="icon phone" href="/search">${drawing(MAGNIFIER)}<span class="unseen">${t.search}</span></a>
${own}</nav></div></header>`;
}

/** The footer: the documentation, the other language, and on a phone what has no room above. */
export function footer(c: PageContext): Html {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const other = language === 'en' ? 'zh' : 'en';
  return html`<footer class="site"><div class="small soft"><a href="/docs">${t.docs}</a>
${visit === undefined ? '' : accountLinks(c, visit.user.isOperator, 'less')}
<form method="post" action="/language">${visit === undefined ? '' : token(c)}<input type="hidden" name="return_to" value="${returnPath(c)}"><button class="link" name="language" value="${other}" lang="${LANGUAGE_TAGS[other]}">${LANGUAGE_NAMES[other]}</button></form></div></footer>`;
}

type Member = NonNullable<Visitor['visit']>['user'];

function membersLinks(c: PageContext, user: Member, unread: number): Html {
  const t = words[c.get('visitor').language];
  return html`${bell(c, unread)}
<a class="row small" href="/u/${encodeURIComponent(user.username)}"><img class="avatar" width="28" height="28" alt="" src="${avatarPath(user.id, user.avatar)}"><span class="name">${user.username}</span></a>
${accountLinks(c, user.isOperator, 'more')}
<a class="button primary" href="/write">${t.write}</a>`;
}

function strangersLinks(c: PageContext): Html {
  const t = words[c.get('visitor').language];
  return html`<a href="/login">${t.signIn}</a>${c.get('site').signUp === 'closed' ? '' : html`<a class="button primary" href="/signup">${t.signUp}</a>`}`;
}

function bell(c: PageContext, unread: number): Html {
  const t = words[c.get('visitor').language];
  const count = unread > MOST_UNREAD ? `${MOST_UNREAD}+` : `${unread}`;
  return html`<a class="icon" href="/notifications">${drawing(BELL)}${unread === 0 ? '' : html`<span class="count" aria-hidden="true">${count}</span>`}<span class="unseen">${unread === 0 ? t.notifications : t.unread(count)}</span></a>`;
}

// In the header where there is room, else in the footer.
function accountLinks(c: PageContext, isOperator: boolean, where: 'more' | 'less'): Html {
  const t = words[c.get('visitor').language];
  return html`${isOperator ? html`<a class="${where}" href="/operator">${t.operator}</a>` : ''}
<a class="${where}" href="/settings/profile">${t.settings}</a>
<form class="${where}" method="post" action="/logout">${token(c)}<button class="link">${t.signOut}</button></form>`;
}

function drawing(path: string): Html {
  return raw(
    `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" aria-hidden="true"><path d="${path}"/></svg>`,
  ) as unknown as Html;
}

function token(c: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken(c)}">`;
}

// A page that answered a form has no address to come back to but the home page.
function returnPath(c: PageContext): string {
  return c.req.method === 'GET' ? pathOf(c) : '/';
}

const LANGUAGE_NAMES = bilingual('English', '中文');

const words = bilingual(
  {
    navigation: 'Main',
    search: 'Search',
    signIn: 'Sign in',
    signUp: 'Join',
    signOut: 'Sign out',
    settings: 'Settings',
    operator: 'Operator',
    write: 'Write',
    notifications: 'Notifications',
    unread: (count: string) => `Notifications, ${count} unread`,
    docs: 'For developers',
  },
  {
    navigation: '主导航',
    search: '搜索',
    signIn: '登录',
    signUp: '加入',
    signOut: '退出',
    settings: '设置',
    operator: '管理',
    write: '写文章',
    notifications: '通知',
    unread: (count: string) => `通知，${count} 条未读`,
    docs: '开发者文档',
  },
);
