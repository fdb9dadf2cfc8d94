// Numbers in addresses and forms.

import type { PageContext } from './visitor.ts';

/** What a number in a path looks like, for the part of a route that it is. */
export const NUMBER = '{[1-9][0-9]{0,14}}';

/** The number that the text is; undefined if it is none. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The number in the path of a route with `:id`. */
export function idIn(c: PageContext): number {
  return Number(c.req.param('id'));
}
