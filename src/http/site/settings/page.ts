// The frame of the settings: the section's menu beside each page.

import { bilingual } from '../../pages/language.ts';
import { type Html, type PageOptions, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { HELP_PATH } from '../chapters.ts';
import { sectionMenu } from '../section-menu.ts';

const PATHS = [
  '/settings/profile',
  '/settings/mails',
  '/settings/security',
  '/settings/browsers',
  '/settings/security-log',
  '/settings/apps',
  '/settings/tokens',
  '/settings/diary',
  '/settings/following',
  '/settings/account',
] as const;

export type SettingsPath = (typeof PATHS)[number];

/** Show a page of the settings, with its entry marked in the menu. */
export function settingsPage(
  c: PageContext,
  currentPath: SettingsPath,
  options: PageOptions,
  content: Html,
): Promise<Response> {
  return page(c, { ...options, menu: settingsMenu(c, currentPath) }, content);
}

/** Make the menu of the settings, with the entry of this path marked. */
export function settingsMenu(c: PageContext, currentPath: SettingsPath): Html {
  const t = words[c.get('visitor').language];
  const items = PATHS.map((path) => ({ path, name: t[path], isHere: path === currentPath }));
  return sectionMenu(t.settings, [...items, { path: HELP_PATH, name: t.help, isHere: false }]);
}

/** The title of a page of the settings, the same as in the menu. */
export function settingsTitle(c: PageContext, path: SettingsPath): string {
  return words[c.get('visitor').language][path];
}

const words = bilingual(
  {
    settings: 'Settings',
    help: 'Help',
    '/settings/profile': 'Profile',
    '/settings/mails': 'Emails',
    '/settings/security': 'Security',
    '/settings/browsers': 'Browsers',
    '/settings/security-log': 'Security log',
    '/settings/apps': 'Connected applications',
    '/settings/tokens': 'API tokens',
    '/settings/diary': 'Access diary',
    '/settings/following': 'Following',
    '/settings/account': 'Your account',
  },
  {
    settings: '设置',
    help: '帮助',
    '/settings/profile': '个人资料',
    '/settings/mails': '邮件提醒',
    '/settings/security': '安全',
    '/settings/browsers': '浏览器',
    '/settings/security-log': '安全日志',
    '/settings/apps': '已连接的应用',
    '/settings/tokens': 'API 令牌',
    '/settings/diary': '访问日记',
    '/settings/following': '关注',
    '/settings/account': '您的账号',
  },
);
