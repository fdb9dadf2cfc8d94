// Tables that a narrow screen shows as cards: each cell then names its column itself, by `data-label`.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

/** A table with a heading for each column. An empty heading stands over a column of links or buttons. */
export function table(headings: readonly string[], rows: readonly Html[]): Html {
  return html`
    <table>
      <thead>
        <tr>${headings.map(headingCell)}</tr>
      </thead>
      <tbody>${rows}</tbody>
    </table>`;
}

function headingCell(heading: string): Html {
  return heading === '' ? html`<td></td>` : html`<th scope="col">${heading}</th>`;
}
