// The parts that the JSON formats share: timestamps, and the reason why a record doesn't fit its schema.

import { z } from 'zod';

export const timestamp = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      `${given(input)} is not a time with an offset, such as 2024-01-31T09:30:00+08:00 or 2024-01-31T01:30:00Z`,
  })
  .transform((text) => Date.parse(text));

/** Read a value by its schema, or say what is wrong with it: each field, what it has, and what is expected. */
export function read<T>(schema: z.ZodType<T>, value: unknown): { value: T } | { reason: string } {
  const result = schema.safeParse(value, { error: explain });
  if (result.success) return { value: result.data };
  const reasons = result.error.issues.map(({ path, message }) => {
    return path.length === 0 ? message : `${path.join('.')}: ${message}`;
  });
  return { reason: reasons.join('; ') };
}

type Issue = Parameters<z.core.$ZodErrorMap>[0];

// The value itself is left out, since it can be a password.
function explain(issue: Issue): string | undefined {
  const { code, input } = issue;
  if (code === 'invalid_type') {
    if (input === undefined) return 'is missing';
    return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(input)}`;
  }
  if (code === 'unrecognized_keys') return unknownFields(issue.keys, Object.keys(fieldsOf(issue.inst)));
  if (code === 'invalid_union') {
    const { options } = issue as { options?: readonly unknown[] };
    if (options === undefined) return `must be a text or a whole number, not ${kindOf(input)}`;
    const value = (input as Record<string, unknown>)[String(issue.discriminator)];
    return `${value === undefined ? 'is missing' : `${given(value)} is unknown`}; expected ${options.join(', ')}`;
  }
  return undefined;
}

function fieldsOf(schema: unknown): object {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function unknownFields(names: readonly string[], known: readonly string[]): string {
  const list = names.map((name) => given(name)).join(', ');
  return `unknown field${names.length === 1 ? '' : 's'} ${list}; expected only ${known.join(', ')}`;
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object in braces',
  array: 'a list',
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return KINDS[typeof value] ?? typeof value;
}

function given(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
