// The parts that the JSON formats share: timestamps, and the reason why a record doesn't fit its schema.

import { z } from 'zod';

export const timestamp = z.iso
  .datetime({
    offset: true,
    error: 'must be a time with its offset, such as 2026-01-31T09:30:00+08:00 or …Z',
  })
  .transform((text) => Date.parse(text));

export function reasonOf(error: z.ZodError): string {
  return error.issues.map(sentenceOf).join('; ');
}

// The schemas' own messages begin with "must". All others are the library's.
function sentenceOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  const field = path === '' ? 'the record' : path;
  if (issue.message.startsWith('must ')) return `${field} ${issue.message}`;
  if (issue.code === 'unrecognized_keys') return `unknown field ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_type')
    return `${field} must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    return `${issue.discriminator} must be member, category, post, comment or like`;
  }
  // The only choice of types is that of ids.
  if (issue.code === 'invalid_union') return `${field} must be text or a whole number`;
  if (issue.code === 'too_small') return `${field} must be at least ${issue.minimum}`;
  return `${field} has a value that is not accepted`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object in braces',
  array: 'a list',
};
