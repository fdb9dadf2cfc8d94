// Buttons that stay pressed until they are pressed again, such as the one that likes a post.

import { html } from 'hono/html';
import { formTokenField, type Html } from './page.ts';
import { loginPath } from './return-path.ts';
import type { PageContext } from './visitor.ts';

export interface PressButton {
  /** The id of the form, the same on the page before and after. */
  id: string;
  isPressed: boolean;
  /** Where the form is posted to: the path that presses the button, or the one that releases it. */
  action: string;
  /** The text of the button. */
  text: Html | string;
  /** The id of an element of the page that changes too. */
  changes?: string;
  className?: string;
}

/** Make the form with the button. With its script the page stays open. */
export function pressButton(
  c: PageContext,
  { id, isPressed, action, text, changes = '', className = 'press' }: PressButton,
): Html {
  return html`
    <form method="post" id="${id}" action="${action}" data-press="${changes}">
      ${formTokenField(c)}
      <button class="${className}" aria-pressed="${isPressed ? 'true' : 'false'}">${text}</button>
    </form>`;
}

/** The same for a visitor, who must sign in first, and comes back to this path. */
export function pressAfterSignIn(returnTo: string, text: Html | string, className = 'press'): Html {
  return html`<a class="button ${className}" href="${loginPath(returnTo)}">${text}</a>`;
}
