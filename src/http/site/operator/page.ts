// The frame of the operators' pages: who may see them, and the menu of the section.

import type { User } from '../../../identity/user.ts';
import { type PostedForm, readPostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { type Html, type PageOptions, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notFoundPage } from '../failures.ts';
import { sectionMenu } from '../section-menu.ts';

const PATHS = [
  '/operator',
  '/operator/reports',
  '/operator/members',
  '/operator/applications',
  '/operator/categories',
  '/operator/invitations',
  '/operator/audit',
] as const;

export type OperatorPath = (typeof PATHS)[number];

type Answer = Response | Promise<Response>;

/** A page for operators. For anyone else there is nothing at its address. */
export function forOperator(handle: (c: PageContext, operator: User) => Answer): (c: PageContext) => Answer {
  return (c) => {
    const { visit } = c.get('visitor');
    return visit?.user.isOperator ? handle(c, visit.user) : notFoundPage(c);
  };
}

/** What an operator posts from a page of ours. */
export function fromOperator(
  handle: (c: PageContext, operator: User, form: PostedForm) => Answer,
): (c: PageContext) => Answer {
  return forOperator(async (c) => {
    const form = await readPostedForm(c);
    // Whoever it was when the request began may be an operator no more.
    return form instanceof Response ? form : forOperator((_, operator) => handle(c, operator, form))(c);
  });
}

/** A page of the operators, with the place that it belongs to marked in the menu. */
export function operatorPage(
  c: PageContext,
  place: OperatorPath,
  options: PageOptions,
  content: Html,
): Response | Promise<Response> {
  const t = words[c.get('visitor').language];
  const items = PATHS.map((path) => ({ path, name: t[path], isHere: path === place }));
  const menu = sectionMenu(t.operator, items);
  return page(c, { ...options, menu }, content);
}

/** The name of an operators' page, as the menu calls it. */
export function operatorTitle(c: PageContext, place: OperatorPath): string {
  return words[c.get('visitor').language][place];
}

const words = bilingual(
  {
    operator: 'For operators',
    '/operator': 'Overview',
    '/operator/reports': 'Reports',
    '/operator/members': 'Members',
    '/operator/applications': 'Applications',
    '/operator/categories': 'Categories',
    '/operator/invitations': 'Invitations',
    '/operator/audit': 'What operators did',
  },
  {
    operator: '社区管理',
    '/operator': '概览',
    '/operator/reports': '举报',
    '/operator/members': '成员',
    '/operator/applications': '应用',
    '/operator/categories': '分类',
    '/operator/invitations': '邀请',
    '/operator/audit': '管理记录',
  },
);
