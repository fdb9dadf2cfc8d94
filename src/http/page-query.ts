// The page parameters of a list (spec §4.4, contract §7). A number out of range counts as the nearest one in
// range; anything but a whole number is refused.

import { type BareRequest, queryOf } from './answer.ts';
import { HttpRefusal } from './problem.ts';

// So large that no list reaches it. Times the largest size, it still fits the databases' integers.
const LAST_PAGE = Number.MAX_SAFE_INTEGER;
const DEFAULT_SIZE = 20;
export const LARGEST_SIZE = 50;

/** The page and size in effect. */
export interface PageQuery {
  page: number;
  size: number;
}

/** Read the page and size in effect. Throws the problem that names an invalid parameter. */
export function readPageQuery(request: BareRequest): PageQuery {
  const query = queryOf(request);
  return pageInEffect(wholeNumber(query, 'page'), wholeNumber(query, 'size'));
}

/** Return the page and size in effect for whole numbers. */
export function pageInEffect(page = 0, size = DEFAULT_SIZE): PageQuery {
  return { page: within(page, 0, LAST_PAGE), size: within(size, 1, LARGEST_SIZE) };
}

function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(number, least), most);
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const [text, ...others] = query.getAll(name);
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text) || others.length > 0) {
    throw new HttpRefusal('invalid_request', `The parameter ${name} must be an integer, given once.`);
  }
  return Number(text);
}

/** What the page parameter means. */
export const PAGE = 'Zero-based page index. Below 0 counts as 0; a page beyond the last one is empty.';
/** What the size parameter means. */
export const SIZE = `Page size. Below 1 counts as 1, above ${LARGEST_SIZE} as ${LARGEST_SIZE}.`;

/** The parameters as the OpenAPI document describes them. */
export const PAGE_PARAMETERS = [
  {
    name: 'page',
    in: 'query',
    required: false,
    description: PAGE,
    schema: { type: 'integer', default: 0, example: 0, description: PAGE },
  },
  {
    name: 'size',
    in: 'query',
    required: false,
    description: SIZE,
    schema: { type: 'integer', default: DEFAULT_SIZE, example: DEFAULT_SIZE, description: SIZE },
  },
] as const;
