// The first operator's account, created through the link that the program prints.

import { html } from 'hono/html';
import { byCommandLine } from '../../../audit/doer.ts';
import type { RegistrationProblems } from '../../../identity/registration.ts';
import { startSession } from '../../../identity/session.ts';
import { createFirstOperator } from '../../../identity/user-creation.ts';
import { digestOf, sameDigest } from '../../../lib/secrets.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { forgetLinkToken, linkToken } from '../../pages/link-token.ts';
import { page, visitorFormTokenField } from '../../pages/page.ts';
import { giveSession, type PageContext, programOf } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { rememberMember } from './known-browser.ts';
import { readRegistration, registrationFields, type TypedRegistration } from './registration-form.ts';

/** Show the form behind the set-up link. */
export async function setupPage(site: SiteParts, c: PageContext): Promise<Response> {
  const token = linkToken(c, 'setup');
  if (token instanceof Response) return token;
  return (await canSetUp(site, token)) ? pageOfSetup(c, token, { username: '' }, {}) : closedPage(c);
}

/** Create the first operator's account and sign it in. */
export async function setUp(site: SiteParts, c: PageContext, form: PostedForm): Promise<Response> {
  const token = form.text('token');
  if (!(await canSetUp(site, token))) return closedPage(c);
  const registration = readRegistration(form);
  // Only a person who can read the terminal has the link.
  const by = byCommandLine(site.clock);
  const { language } = c.get('visitor');
  const result = await createFirstOperator(by, site.identity, registration, language);
  if (result === undefined) return closedPage(c);
  if ('problems' in result) return pageOfSetup(c, token, registration, result.problems);
  forgetLinkToken(c, 'setup');
  const address = site.clientAddress(c);
  const cookie = await startSession(site.identity, result.id, {
    method: 'set_up',
    address,
    browser: { program: programOf(c), isNew: false },
  });
  await giveSession(c, site.identity, cookie, address);
  await rememberMember(site, c, { userId: result.id, hasFactor: false });
  return c.redirect('/operator', 303);
}

async function canSetUp({ setupToken, identity }: SiteParts, token: string): Promise<boolean> {
  if (!sameDigest(digestOf(token), digestOf(await setupToken()))) return false;
  return !(await identity.reads.hasOperator());
}

function pageOfSetup(
  c: PageContext,
  token: string,
  typed: TypedRegistration,
  problems: RegistrationProblems,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  return page(
    c,
    { title: t.title, status: Object.keys(problems).length > 0 ? 400 : 200 },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        <p class="soft">${t.explanation}</p>
        <form method="post" action="/setup">
          ${visitorFormTokenField(c)}
          <input type="hidden" name="token" value="${token}">
          ${registrationFields(typed, problems, language)}
          <div class="actions">
            <button class="primary">${t.create}</button>
          </div>
        </form>
      </div>`,
  );
}

function closedPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.closed, status: 403 },
    html`
      <h1>${t.closed}</h1>
      <p>${t.closedBecause}</p>
      <p class="soft">${t.closedAdvice}</p>`,
  );
}

const words = bilingual(
  {
    title: 'Set up this community',
    explanation: 'You’re the first one here. The account you create now is the community’s first operator.',
    create: 'Create operator account',
    closed: 'This set-up link is not valid',
    closedBecause:
      'The community already has an operator, or the link is incomplete, or the server has printed a newer one.',
    closedAdvice:
      'Until there is an operator, the server prints the link each time it starts. It works once. Copy the last one in full.',
  },
  {
    title: '设置您的社区',
    explanation: '您是第一位成员。此账号将成为社区的管理员。',
    create: '创建管理员账号',
    closed: '此设置链接无法使用',
    closedBecause: '社区已有管理员，或者链接不完整，或者程序已显示更新的链接。',
    closedAdvice: '在有管理员之前，程序每次启动都会显示此链接，仅可使用一次。请完整复制最近一次显示的链接。',
  },
);
