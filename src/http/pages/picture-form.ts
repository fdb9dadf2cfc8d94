// The forms that upload a picture and remove it: a member's, the community's logo, or an application's.

import { html } from 'hono/html';
import { described, explanations, type FieldText } from './fields.ts';
import { formTokenField, type Html } from './page.ts';
import { PICTURE_TYPES } from './picture-problem.ts';
import type { PageContext } from './visitor.ts';

/** Make the form with its field, which is posted to `action`. */
export function pictureForm(c: PageContext, action: string, field: FieldText, button: string): Html {
  const { name, label } = field;
  return html`
    <form method="post" action="${action}" enctype="multipart/form-data">
      ${formTokenField(c)}
      <div class="field">
        <label for="${name}">${label}</label>
        ${explanations(field)}
        <input type="file" id="${name}" name="${name}" accept="${PICTURE_TYPES}" required${described(field)}>
      </div>
      <div class="actions">
        <button class="primary">${button}</button>
      </div>
    </form>`;
}

/** Make the form that removes a picture. */
export function pictureRemovalForm(c: PageContext, action: string, button: string): Html {
  return html`
    <form method="post" action="${action}">
      ${formTokenField(c)}
      <button>${button}</button>
    </form>`;
}
