// Tables, which narrow screens show as cards. There each cell shows its column's heading, from `data-label`.

import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';

/** Make a table. A column of links or buttons has an empty heading. */
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
