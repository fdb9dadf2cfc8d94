// The parts that the JSON formats share: timestamps, and the reason why a record doesn't fit its schema.

import { z } from 'zod';

export const timestamp = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export function reasonOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
