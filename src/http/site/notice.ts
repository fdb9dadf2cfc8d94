// What a page says of the act before it: a line at its head, which screen readers announce.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

/** Show the text of a finished act; nothing without a text. */
export function notice(text: string | undefined): Html | '' {
  return text === undefined ? '' : html`<p class="notice" role="status">${text}</p>`;
}
