// Joining: a new account, signed in at once.

import { Hono } from 'hono';
import { html } from 'hono/html';
import { startSession } from '../../identity/session.ts';
import { type RegistrationProblems, signUp } from '../../identity/sign-up.ts';
import { localPath, readPostedForm } from '../form-page.ts';
import { bilingual } from '../language.ts';
import { formTokenField, page } from '../page.ts';
import { formTargetsOfReturn, loginPath, uiLocalesOfReturn } from '../return-path.ts';
import { giveSession, type PageContext, type PageEnv, speakAsAsked } from '../visitor.ts';
import type { SiteDoor } from './door.ts';
import { readRegistration, registrationFields, type TypedRegistration } from './registration-form.ts';

export function signupPages(site: SiteDoor): Hono<PageEnv> {
  const door = new Hono<PageEnv>();
  door.get('/signup', (c) => signupPage(site, c, localPath(c.req.query('return_to')), { username: '' }, {}));
  door.post('/signup', async (c) => {
    const form = await readPostedForm(c);
    if (form instanceof Response) return form;
    const returnTo = localPath(form.text('return_to'));
    const registration = readRegistration(form);
    const result = await signUp(site.identity, registration);
    if ('problems' in result) return signupPage(site, c, returnTo, registration, result.problems);
    await giveSession(c, site.identity, await startSession(site.identity, result.id));
    return c.redirect(returnTo, 303);
  });
  return door;
}

async function signupPage(
  site: SiteDoor,
  c: PageContext,
  returnTo: string,
  typed: TypedRegistration,
  problems: RegistrationProblems,
): Promise<Response> {
  speakAsAsked(c, uiLocalesOfReturn(returnTo));
  const { language } = c.get('visitor');
  const t = words[language];
  const formTargets = await formTargetsOfReturn(site.oauth, returnTo);
  return page(
    c,
    { title: t.title, status: Object.keys(problems).length > 0 ? 400 : 200, formTargets },
    html`<div class="narrow"><h1>${t.heading(c.get('site').name)}</h1>
<form method="post" action="/signup">${formTokenField(c)}<input type="hidden" name="return_to" value="${returnTo}">
${registrationFields(typed, problems, language)}
<div class="actions"><button class="primary">${t.join}</button></div></form>
<p class="soft">${t.already} <a href="${loginPath(returnTo)}">${t.signIn}</a></p></div>`,
  );
}

const words = bilingual(
  {
    title: 'Join',
    heading: (site: string) => `Join ${site}`,
    join: 'Create account',
    already: 'Already a member?',
    signIn: 'Sign in',
  },
  {
    title: '加入',
    heading: (site: string) => `加入 ${site}`,
    join: '创建账号',
    already: '已经是成员？',
    signIn: '登录',
  },
);
