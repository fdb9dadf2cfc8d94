// What the formats in JSON have in common: how a moment is written, and what is said of a record that does not fit.

import { z } from 'zod';

export const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export function reasonOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
