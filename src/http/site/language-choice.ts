// The visitor's choice of language.

import { byMember } from '../../audit/doer.ts';
import { setLanguage } from '../../identity/member-language.ts';
import { localPath, type PostedForm } from '../pages/form-page.ts';
import { type PageContext, setLanguageCookie } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

/** Remember the language that the visitor chose, and return to the page. */
export async function saveLanguage(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const language = form.text('language');
  if (language === 'en' || language === 'zh') {
    setLanguageCookie(c, language);
    const { visit } = c.get('visitor');
    if (visit !== undefined) await setLanguage(byMember(visit.user, site.clock), site.identity, language);
  }
  return c.redirect(localPath(form.text('return_to')), 303);
}
