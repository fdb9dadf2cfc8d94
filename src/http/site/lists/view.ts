// Whether this browser shows lists of posts in the compact view.

import { setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { DAY, SECOND } from '../../../lib/clock.ts';
import { cookieOf } from '../../pages/cookie.ts';
import { localPath, type PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { cookieName, cookieOptions, type PageContext } from '../../pages/visitor.ts';
import { pathOf } from '../../request-form.ts';
import type { SiteParts } from '../site-parts.ts';

export const VIEW_PATH = '/view';

const LIFETIME = 365 * DAY;

export function isCompact(c: PageContext): boolean {
  return cookieOf(c, cookieName(c, 'view')) === 'compact';
}

/** Remember the view that the visitor chose, and return to the list. */
export function saveView(_: SiteParts, c: PageContext, form: PostedForm): Response {
  const isChosen = form.text('view') === 'compact';
  const maxAge = isChosen ? LIFETIME / SECOND : 0;
  setCookie(c, cookieName(c, 'view'), isChosen ? 'compact' : '', { ...cookieOptions(c), maxAge });
  return c.redirect(localPath(form.text('return_to')), 303);
}

/** The button that changes to the other view. */
export function viewButton(c: PageContext): Html {
  const { visit, language } = c.get('visitor');
  const t = words[language];
  const [view, text] = isCompact(c) ? ['full', t.full] : ['compact', t.compact];
  return html`
    <form method="post" action="${VIEW_PATH}">
      ${visit !== undefined && formTokenField(c)}
      <input type="hidden" name="return_to" value="${pathOf(c)}">
      <button class="link small" name="view" value="${view}">${text}</button>
    </form>`;
}

const words = bilingual(
  { compact: 'Compact view', full: 'Full view' },
  { compact: '紧凑视图', full: '完整视图' },
);
