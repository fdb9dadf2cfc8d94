// The frame of the pages of operators and moderators: the section's menu beside each page.

import { bilingual } from '../../pages/language.ts';
import { type Html, type PageOptions, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { sectionMenu } from '../section-menu.ts';

const PATHS = [
  '/operator',
  '/operator/reports',
  '/operator/waiting',
  '/operator/removed',
  '/operator/members',
  '/operator/applications',
  '/operator/categories',
  '/operator/tags',
  '/operator/invitations',
  '/operator/guests',
  '/operator/settings',
  '/operator/texts',
  '/operator/audit',
  '/operator/security',
  '/operator/mails',
  '/operator/server',
] as const;

/** The pages that moderators may open too. */
const MODERATORS_PATHS: readonly OperatorPath[] = [
  '/operator/reports',
  '/operator/waiting',
  '/operator/removed',
  '/operator/categories',
  '/operator/tags',
];

export type OperatorPath = (typeof PATHS)[number];

/** Show an operators' page, with its entry marked in the menu. */
export function operatorPage(
  c: PageContext,
  currentPath: OperatorPath,
  options: PageOptions,
  content: Html,
): Promise<Response> {
  return page(c, { ...options, menu: operatorMenu(c, currentPath) }, content);
}

/** Make the menu, with the entry of this path marked. Moderators see only the pages that they may open. */
export function operatorMenu(c: PageContext, currentPath: OperatorPath): Html {
  const { language, visit } = c.get('visitor');
  const t = words[language];
  const paths = visit?.user.isOperator ? PATHS : MODERATORS_PATHS;
  const items = paths.map((path) => ({ path, name: t[path], isHere: path === currentPath }));
  return sectionMenu(visit?.user.isOperator ? t.operator : t.moderator, items);
}

/** The title of an operators' page, the same as in the menu. */
export function operatorTitle(c: PageContext, path: OperatorPath): string {
  return words[c.get('visitor').language][path];
}

const words = bilingual(
  {
    operator: 'Operator pages',
    moderator: 'Moderation',
    '/operator': 'Overview',
    '/operator/reports': 'Reports',
    '/operator/waiting': 'Waiting',
    '/operator/removed': 'Removed content',
    '/operator/members': 'Members',
    '/operator/applications': 'Applications',
    '/operator/categories': 'Categories',
    '/operator/tags': 'Tags',
    '/operator/invitations': 'Invitations',
    '/operator/guests': 'Newcomers',
    '/operator/settings': 'Settings',
    '/operator/texts': 'Pages',
    '/operator/audit': 'Audit log',
    '/operator/security': 'Security events',
    '/operator/mails': 'Unsent mail',
    '/operator/server': 'Server',
  },
  {
    operator: '社区管理',
    moderator: '版务',
    '/operator': '概览',
    '/operator/reports': '举报',
    '/operator/waiting': '待审核',
    '/operator/removed': '已移除的内容',
    '/operator/members': '成员',
    '/operator/applications': '应用',
    '/operator/categories': '分类',
    '/operator/tags': '标签',
    '/operator/invitations': '邀请',
    '/operator/guests': '新成员',
    '/operator/settings': '设置',
    '/operator/texts': '页面',
    '/operator/audit': '审计日志',
    '/operator/security': '安全事件',
    '/operator/mails': '未发送的邮件',
    '/operator/server': '服务器',
  },
);
