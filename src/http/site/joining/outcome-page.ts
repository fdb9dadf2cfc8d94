// What became of a form or a link, on a page of its own.

import { html } from 'hono/html';
import { type Html, type PageOptions, page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';

/** Tell the outcome. `next` says how the visitor can go on. */
export function outcomePage(
  c: PageContext,
  status: NonNullable<PageOptions['status']>,
  { title, text }: { title: string; text: string },
  next?: Html,
): Promise<Response> {
  return page(
    c,
    { title, status, returnTo: '/' },
    html`
      <div class="narrow">
        <h1>${title}</h1>
        <p>${text}</p>
        ${next}
      </div>`,
  );
}
