// The visitor's choice of language.

import { byMember, type MemberDoer } from '../../audit/doer.ts';
import { setLanguage } from '../../identity/member-language.ts';
import { attempted, hourlyLimit } from '../../lib/attempt.ts';
import { localPath, type PostedForm } from '../pages/form-page.ts';
import { type PageContext, setLanguageCookie } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

const MOST_CHOICES = 60;

/** Remember the language that the visitor chose, and return to the page. */
export async function saveLanguage(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const language = form.text('language');
  if (language === 'en' || language === 'zh') {
    setLanguageCookie(c, language);
    const { visit } = c.get('visitor');
    if (visit !== undefined) await store(site, byMember(visit.user, site.clock), language);
  }
  return c.redirect(localPath(form.text('return_to')), 303);
}

// For mails. Beyond the limit only this browser knows the choice.
async function store({ identity }: SiteParts, by: MemberDoer, language: string): Promise<void> {
  const limit = hourlyLimit(by.at, MOST_CHOICES, 'language', by.userId);
  if ((await attempted(identity, limit)) === undefined) await setLanguage(by, identity, language);
}
