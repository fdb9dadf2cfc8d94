// The menu of a section, which stands beside each of its pages.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

interface MenuItem {
  path: string;
  name: string;
  isHere: boolean;
}

/** The links of a section. `label` names the section to screen readers. */
export function sectionMenu(label: string, items: readonly MenuItem[]): Html {
  return html`
    <nav aria-label="${label}">
      <ul>${items.map(menuItem)}</ul>
    </nav>`;
}

function menuItem({ path, name, isHere }: MenuItem): Html {
  return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${name}</a></li>`;
}
