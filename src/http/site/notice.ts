// The line at the head of a page that confirms the visitor's last action. Screen readers announce it.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

/** Show the text. Without a text, show nothing. */
export function notice(text: string | undefined): Html | '' {
  return text === undefined ? '' : html`<p class="notice" role="status">${text}</p>`;
}
