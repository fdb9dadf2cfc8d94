// The common headers of the API's answers, and 304 for a caller that already has the body.

import { hash } from 'node:crypto';
import { type Answer, type BareRequest, emptyAnswer, type HeaderLines, measure } from '../answer.ts';

/**
 * The headers of all answers. Any page may read the answers: browsers don't add the token by themselves, so a
 * foreign page can't borrow it. Each header costs 1 % of a short answer, so there are no others.
 */
export const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization',
} as const;

/** The methods that the API accepts. Any other is answered with 405. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/**
 * Answer OPTIONS, the preflight of CORS, with the methods and headers that a page of another origin may use.
 */
export function preflightAnswer(common: readonly string[]): Answer {
  return emptyAnswer(204, [...common, ...PREFLIGHT_HEADERS]);
}

const PREFLIGHT_HEADERS = Object.entries({
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match',
  'Access-Control-Max-Age': '86400',
}).flat();

/** A body that is ready to send. */
export interface Rendered {
  json: string;
  /** In bytes. */
  length: string;
  encoding: Answer['encoding'];
  entityTag: string;
  /** How many posts it holds. */
  posts: number;
}

/** Render a body that holds so many posts. */
export function render(body: object, posts = 0): Rendered {
  const json = JSON.stringify(body);
  const { length, encoding } = measure(json);
  return { json, length, encoding, entityTag: entityTagOf(json), posts };
}

/** Answer with a body, or with 304 if the request names its entity tag. Adds to `headers`. */
export function jsonAnswer(request: BareRequest, body: Rendered, headers: HeaderLines): Answer {
  const { json, length, encoding, entityTag } = body;
  headers.push('ETag', entityTag);
  if (isHeld(request.headers['if-none-match'], entityTag)) return emptyAnswer(304, headers);
  headers.push('Content-Type', 'application/json', 'Content-Length', length);
  return { status: 200, headers, body: json, encoding };
}

// 132 bits of the digest: equal tags mean equal bodies.
const ENTITY_TAG_LENGTH = 22;

function entityTagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, ENTITY_TAG_LENGTH)}"`;
}

// RFC 9110 §13.1.2: a list of tags, compared weakly, or `*` for any.
function isHeld(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}
