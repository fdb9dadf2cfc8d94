// The visitor's choice of light or dark pages.

import { COLOURS, chooseColours } from '../pages/colours.ts';
import { localPath, type PostedForm } from '../pages/form-page.ts';
import type { PageContext } from '../pages/visitor.ts';
import type { SiteParts } from './site-parts.ts';

/** Remember the colours that the visitor chose, and return to the page. */
export function saveColours(_: SiteParts, c: PageContext, form: PostedForm): Response {
  const colours = COLOURS.find((each) => each === form.text('colours'));
  if (colours !== undefined) chooseColours(c, colours);
  return c.redirect(localPath(form.text('return_to')), 303);
}
