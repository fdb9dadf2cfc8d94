// An authorization response that the browser posts to the application (OAuth 2.0 Form Post Response Mode).
// The page has a button, and a script of ours submits the form where scripts run.

import { html } from 'hono/html';
import type { ReturnAddress } from '../../oauth/authorization-request.ts';
import type { OAuthError } from '../../oauth/errors.ts';
import { bilingual } from '../pages/language.ts';
import { page } from '../pages/page.ts';
import type { PageContext } from '../pages/visitor.ts';
import { formTargetsFor } from '../security-headers.ts';
import { FORM_POST_SCRIPT } from '../static-files.ts';

/** A page whose form posts the response to the callback. */
export function formPostPage(
  c: PageContext,
  returnTo: ReturnAddress,
  answer: { code: string } | OAuthError,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const fields = [...returnTo.answer(answer)].map(
    ([name, value]) => html`
        <input type="hidden" name="${name}" value="${value}">`,
  );
  return page(
    c,
    { title: t.title, formTargets: formTargetsFor(returnTo.redirectUri), script: FORM_POST_SCRIPT },
    html`
      <h1>${t.title}</h1>
      <form id="answer" method="post" action="${returnTo.redirectUri}">
        ${fields}
        <p>${t.explanation(returnTo.client.name)}</p>
        <div class="actions">
          <button class="primary">${t.goOn}</button>
        </div>
      </form>`,
  );
}

const words = bilingual(
  {
    title: 'Returning to the application',
    explanation: (client: string) =>
      `We’re sending you back to ${client}. If nothing happens, press Continue.`,
    goOn: 'Continue',
  },
  {
    title: '返回应用',
    explanation: (client: string) => `正在返回 ${client}。如果没有反应，请点击按钮。`,
    goOn: '继续',
  },
);
