// The parameters of a list (spec §4.4, contract §7): out of range is brought into range, not a number is refused.

import { z } from '@hono/zod-openapi';
import { type BareRequest, queryOf } from '../answer.ts';
import { Refusal } from '../problem.ts';

// Pages that nobody fills are simply empty. Times the largest size it still fits the databases' integers.
const LAST_PAGE = Number.MAX_SAFE_INTEGER;
const LARGEST_SIZE = 50;

/** Each parameter as it stands in the address: a text, or several if it was given more than once. */
export const pageQuerySchema = z.object({
  page: wholeNumber(0, LAST_PAGE).default(0).openapi({
    type: 'integer',
    default: 0,
    example: 0,
    description: 'Zero-based page index. Below 0 counts as 0; a page beyond the last one is empty.',
  }),
  size: wholeNumber(1, LARGEST_SIZE).default(20).openapi({
    type: 'integer',
    default: 20,
    example: 20,
    description: 'Page size. Below 1 counts as 1, above 50 as 50.',
  }),
});

/** The page and size in effect. */
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** Reads the page and size in effect, or throws the problem that names the parameter. */
export function readPageQuery(request: BareRequest): PageQuery {
  if (!request.url?.includes('?')) return FIRST_PAGE;
  const query = queryOf(request);
  const result = pageQuerySchema.safeParse({
    page: parameter(query, 'page'),
    size: parameter(query, 'size'),
  });
  if (result.success) return result.data;
  const name = result.error.issues[0]?.path.join('.');
  throw new Refusal('invalid_request', `The parameter ${name} must be an integer, given once.`);
}

const FIRST_PAGE: PageQuery = pageQuerySchema.parse({});

function parameter(query: URLSearchParams, name: string): string | string[] | undefined {
  if (!query.has(name)) return undefined;
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : values;
}

function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^-?\d+$/)
    .transform((digits) => Math.min(Math.max(Number(digits), least), most));
}
