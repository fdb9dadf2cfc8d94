// The hidden fields that tie a form to the visitor.

import { html } from 'hono/html';
import { formToken, type PageContext, visitorFormToken } from './visitor.ts';

type Html = ReturnType<typeof html>;

/** The hidden field that every form with method="post" must have. */
export function formTokenField(c: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${formToken(c)}">`;
}

/** The same for a form that is not tied to the signed-in member. Its path must take `visitorForm`. */
export function visitorFormTokenField(c: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${visitorFormToken(c)}">`;
}
