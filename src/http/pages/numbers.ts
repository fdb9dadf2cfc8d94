// Numbers in addresses and forms.

import type { PageContext } from './visitor.ts';

/** The pattern of a number in the path of a route. */
export const NUMBER = '{[1-9][0-9]{0,14}}';

/** Read a text as a positive number. Undefined if it is not one. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Return the number in the path of a route with `:id`. */
export function idIn(c: PageContext): number {
  return Number(c.req.param('id'));
}
