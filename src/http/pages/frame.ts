// The header and the footer of every page.

import { html, raw } from 'hono/html';
import { MOST_WAITING_SHOWN } from '../../community/approval.ts';
import { MOST_UNREAD } from '../../community/notification.ts';
import { MOST_REPORTS_SHOWN } from '../../community/report.ts';
import { contactLink } from '../../site/contact.ts';
import { linksIn } from '../../site/links.ts';
import { writtenPages } from '../../site/text-names.ts';
import { pathOf } from '../request-form.ts';
import { ARCH } from '../static-files.ts';
import { logoPath } from './appearance.ts';
import { avatarPath } from './avatar-path.ts';
import { browserChoices } from './browser-choices.ts';
import { formTokenField } from './form-token-field.ts';
import { bilingual, type Language } from './language.ts';
import { memberPath } from './post-path.ts';
import { loginPath, signupPath } from './return-path.ts';
import type { PageContext, Visitor } from './visitor.ts';
import { WRITTEN_TITLES } from './written-titles.ts';

type Html = ReturnType<typeof html>;

const MAGNIFIER = 'M10.5 18a7.5 7.5 0 1 1 0-15 7.5 7.5 0 0 1 0 15ZM16 16l5.5 5.5';
const FLAG = 'M5.5 22V3M5.5 4h13l-3 4.5 3 4.5h-13';
const BELL = 'M5.5 17V11a6.5 6.5 0 0 1 13 0v6l1.5 1.5H4ZM10 21.5h4';

/** The numbers in the header. */
export interface HeaderCounts {
  unread: number;
  /** Open reports. 0 for visitors who don't moderate. */
  reports: number;
  /** Texts that wait for approval. 0 for visitors who don't moderate. */
  waiting: number;
}

/** What a page wants of its frame. */
export interface Frame {
  /** Without search and the visitor's own links, so that they don't compete with the decision on the page. */
  isBare?: boolean;
  /** Has a search form of its own. */
  isSearch?: boolean;
  /** Without the button that leads to writing a post, beside which the page's own is the first. */
  isWriting?: boolean;
  /** The path to come back to after signing in. By default it is the page itself. */
  returnTo?: string;
  /** The path of the Atom feed with the entries that the page lists. */
  feed?: string;
}

/** The path of the same feed as JSON Feed. */
export function jsonFeedPath(path: string): string {
  return path.replace(/atom$/, 'json');
}

/** The header: the site's name, search, and the visitor's own links. */
export function header(c: PageContext, counts: HeaderCounts, frame: Frame): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const { name, logo, isSandbox } = c.get('site');
  if (frame.isBare) return bareHeader(c);
  return html`
    <header class="site">
      <div>
        <a class="mark" href="/">${mark(logo)}<span>${name}</span></a>
        ${!isSandbox && !frame.isSearch && quickSearch(c)}
        <nav aria-label="${t.navigation}">
          ${!isSandbox && !frame.isSearch && searchLink(c)}
          ${visit === undefined ? visitorLinks(c, frame) : memberLinks(c, visit.user, counts, frame)}
        </nav>
      </div>
    </header>`;
}

function quickSearch(c: PageContext): Html {
  const { search } = words[c.get('visitor').language];
  return html`
    <form class="quick-search more" action="/search">
      <input type="search" name="q" aria-label="${search}" placeholder="${search}" maxlength="200">
    </form>`;
}

function searchLink(c: PageContext): Html {
  const { search } = words[c.get('visitor').language];
  return html`<a class="icon phone" href="/search">${drawing(MAGNIFIER)}<span class="unseen">${search}</span></a>`;
}

/** Above every page of a sandbox: that it is one. */
export function sandboxLine(c: PageContext): Html | '' {
  const { sandbox, yourSandbox } = words[c.get('visitor').language];
  if (!c.get('site').isSandbox) return '';
  return html`<aside class="sandbox small">${sandbox} <a href="/sandbox">${yourSandbox}</a></aside>`;
}

function mark(logo: string): Html {
  if (logo === '') return drawing(ARCH);
  return html`<img width="36" height="36" alt="" src="${logoPath(logo)}">`;
}

function bareHeader(c: PageContext): Html {
  const { name, logo } = c.get('site');
  return html`
    <header class="site">
      <div>
        <span class="mark">${mark(logo)}<span>${name}</span></span>
      </div>
    </header>`;
}

/** The footer: the operators’ pages and contact, help, documentation, the account, and choices of the browser. */
export function footer(c: PageContext, frame: Frame): Html {
  const { language, visit } = c.get('visitor');
  const site = c.get('site');
  const { contact, baseUrl } = site;
  const written = writtenPages(site).map((name) => link(`/${name}`, WRITTEN_TITLES[language][name]));
  return html`
    <footer class="site">
      <div class="small soft">
        ${frame.feed !== undefined && link(frame.feed, words[language].atom)}
        ${frame.feed !== undefined && link(jsonFeedPath(frame.feed), words[language].json)}
        ${written}
        ${linksIn(site.links).map(({ title, address }) => link(address, title))}
        ${contact !== '' && link(contactLink(contact, baseUrl), words[language].contact)}
        ${visit !== undefined && !frame.isBare && readingLinks(language)}
        ${link('/help', words[language].help)}
        ${link('/docs', words[language].docs)}
        ${visit !== undefined && !frame.isBare && accountLinks(c, visit.user, 'less')}
        ${browserChoices(c, ownPath(c) ?? frame.returnTo ?? '/', frame.isBare)}
      </div>
    </footer>`;
}

function readingLinks(language: Language): Html {
  return html`${link('/following', words[language].following)} ${link('/bookmarks', words[language].bookmarks)}`;
}

function link(href: string, text: string): Html {
  return html`<a href="${href}">${text}</a>`;
}

type Member = NonNullable<Visitor['visit']>['user'];

function memberLinks(c: PageContext, user: Member, counts: HeaderCounts, { isWriting }: Frame): Html {
  const t = words[c.get('visitor').language];
  const avatar = avatarPath(user.id, user.avatar);
  // No white space beside the name: on a phone only the picture is shown.
  return html`
    ${flag(c, counts)}
    ${bell(c, counts.unread)}
    <a class="row small" href="${memberPath(user.username)}"><img
      class="avatar" width="28" height="28" alt="" src="${avatar}"><span
      class="name">${user.username}</span></a>
    ${accountLinks(c, user, 'more')}
 ${!c.get('site').isSandbox && !isWriting && html`<a class="button primary" href="/write">${t.write}</a>`}`;
}

function visitorLinks(c: PageContext, frame: Frame): Html {
  const t = words[c.get('visitor').language];
  const canJoin = c.get('site').signUp !== 'closed';
  const path = frame.returnTo ?? ownPath(c) ?? '/';
  const isPlain = path === '/' || path.length > LONGEST_RETURN;
  return html`
    <a href="${isPlain ? '/login' : loginPath(path)}">${t.signIn}</a>
    ${canJoin && html`<a class="button primary" href="${isPlain ? '/signup' : signupPath(path)}">${t.signUp}</a>`}`;
}

// Percent-encoded, a path can be three times as long, and the server accepts 16 KiB.
const LONGEST_RETURN = 4000;

function bell(c: PageContext, unread: number): Html {
  const t = words[c.get('visitor').language];
  const count = upTo(unread, MOST_UNREAD);
  return html`
    <a class="icon" href="/notifications">
      ${drawing(BELL)}
      ${unread > 0 && html`<span class="count" aria-hidden="true">${count}</span>`}
      <span class="unseen">${unread === 0 ? t.notifications : t.unread(count)}</span>
    </a>`;
}

// Everything that waits for a decision, with a link to the reports first.
function flag(c: PageContext, { reports, waiting }: HeaderCounts): Html | '' {
  if (reports + waiting === 0) return '';
  const t = words[c.get('visitor').language];
  const parts = [
    ...(reports > 0 ? [t.reports(upTo(reports, MOST_REPORTS_SHOWN))] : []),
    ...(waiting > 0 ? [t.waiting(upTo(waiting, MOST_WAITING_SHOWN))] : []),
  ];
  return html`
    <a class="icon" href="/operator/${reports > 0 ? 'reports' : 'waiting'}">
      ${drawing(FLAG)}
      <span class="count" aria-hidden="true">${upTo(reports + waiting, MOST_REPORTS_SHOWN)}</span>
      <span class="unseen">${parts.join(t.and)}</span>
    </a>`;
}

function upTo(count: number, most: number): string {
  return count > most ? `${most}+` : `${count}`;
}

// Shown in the header where there is room, otherwise in the footer.
function accountLinks(c: PageContext, user: Member, where: 'more' | 'less'): Html {
  const t = words[c.get('visitor').language];
  return html`
    ${user.isOperator && html`<a class="${where}" href="/operator">${t.operator}</a>`}
    ${user.isModerator && html`<a class="${where}" href="/operator/reports">${t.moderator}</a>`}
    ${!c.get('site').isSandbox && html`<a class="${where}" href="/drafts">${t.drafts}</a>`}
    <a class="${where}" href="/settings/profile">${t.settings}</a>
    <form class="${where}" method="post" action="/logout">
      ${formTokenField(c)}
      <button class="link">${t.signOut}</button>
    </form>`;
}

function drawing(path: string): Html {
  const attributes = raw('viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2"');
  return html`<svg ${attributes} aria-hidden="true"><path d="${path}"/></svg>`;
}

// A page that answers a form has no address to come back to.
function ownPath(c: PageContext): string | undefined {
  return c.req.method === 'GET' ? pathOf(c) : undefined;
}

const words = bilingual(
  {
    sandbox: 'This is a sandbox. Nothing here is real.',
    yourSandbox: 'Members and faults',
    navigation: 'Main',
    search: 'Search',
    signIn: 'Sign in',
    signUp: 'Join',
    signOut: 'Sign out',
    drafts: 'Drafts',
    settings: 'Settings',
    operator: 'Operator',
    moderator: 'Moderation',
    reports: (count: string) => (count === '1' ? '1 open report' : `${count} open reports`),
    waiting: (count: string) => `${count} waiting for approval`,
    and: ', ',
    write: 'Write',
    notifications: 'Notifications',
    unread: (count: string) => `Notifications, ${count} unread`,
    following: 'Following',
    bookmarks: 'Bookmarks',
    atom: 'Atom feed',
    json: 'JSON feed',
    contact: 'Contact',
    help: 'Help',
    docs: 'For developers',
  },
  {
    sandbox: '这是沙盒，这里的一切都不是真实的。',
    yourSandbox: '成员与故障',
    navigation: '主导航',
    search: '搜索',
    signIn: '登录',
    signUp: '加入',
    signOut: '退出',
    drafts: '草稿',
    settings: '设置',
    operator: '管理',
    moderator: '版务',
    reports: (count: string) => `${count} 份待处理的举报`,
    waiting: (count: string) => `${count} 篇待审核内容`,
    and: '，',
    write: '写文章',
    notifications: '通知',
    unread: (count: string) => `通知，${count} 条未读`,
    following: '关注',
    bookmarks: '书签',
    atom: 'Atom 订阅',
    json: 'JSON 订阅',
    contact: '联系我们',
    help: '帮助',
    docs: '开发者文档',
  },
);
