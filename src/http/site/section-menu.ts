// The pages of a section, beside each of them.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

export interface MenuItem {
  path: string;
  name: string;
  isHere: boolean;
}

/** `label` names the section to screen readers. */
export function sectionMenu(label: string, items: readonly MenuItem[]): Html {
  const links = items.map(
    ({ path, name, isHere }) =>
      html`<li><a href="${path}"${isHere ? html` aria-current="page"` : ''}>${name}</a></li>`,
  );
  return html`<nav aria-label="${label}"><ul>${links}</ul></nav>`;
}
