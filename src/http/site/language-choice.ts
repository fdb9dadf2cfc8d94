// The visitor's choice of language.

import { localPath, type PostedForm } from '../pages/form-page.ts';
import { type PageContext, setLanguageCookie } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

/** Remember the language that the visitor chose, and return to the page. */
export function saveLanguage(_: SiteParts, c: PageContext, form: PostedForm): Response {
  const language = form.text('language');
  if (language === 'en' || language === 'zh') setLanguageCookie(c, language);
  return c.redirect(localPath(form.text('return_to')), 303);
}
