// Choosing the language of the pages.

import { Hono } from 'hono';
import { localPath, readHarmlessForm } from '../pages/form-page.ts';
import { type PageEnv, setLanguageCookie } from '../pages/visitor.ts';

export function languageChoice(): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.post('/language', async (c) => {
    const form = await readHarmlessForm(c);
    if (form instanceof Response) return form;
    const language = form.text('language');
    if (language === 'en' || language === 'zh') setLanguageCookie(c, language);
    return c.redirect(localPath(form.text('return_to')), 303);
  });
  return door;
}
