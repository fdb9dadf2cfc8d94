// What every answer of the API carries, and how a body is sent only to those who don't hold it yet.

import { hash } from 'node:crypto';
import { type Answer, type BareRequest, emptyAnswer, type HeaderLines, measured } from '../answer.ts';

/**
 * The headers of all answers, and no more than are needed: each costs 1 % of a short answer. Any page may read them:
 * the token is in a header that no browser adds by itself, so there is nothing that a foreign page could borrow.
 */
export const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization',
} as const;

/** What the addresses of the API take; anything else is a 405. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The answer to OPTIONS: what a page of another origin may send (the preflight of CORS). */
export function preflightAnswer(common: readonly string[]): Answer {
  return emptyAnswer(204, [...common, ...PREFLIGHT_HEADERS]);
}

const PREFLIGHT_HEADERS = Object.entries({
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match',
  'Access-Control-Max-Age': '86400',
}).flat();

/** A body that is ready to be sent. */
export interface Rendered {
  json: string;
  /** In bytes. */
  length: string;
  encoding: Answer['encoding'];
  entityTag: string;
}

export function rendered(body: object): Rendered {
  const json = JSON.stringify(body);
  const { length, encoding } = measured(json);
  // Named one by one: an object that another is spread into takes more memory, and there is one for each member.
  return { json, length, encoding, entityTag: entityTagOf(json) };
}

/** Answers with a body, or with 304 if the caller named its entity tag. Adds to the headers given. */
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

// RFC 9110 §13.1.2: any of a list, compared weakly, and `*` for whatever there is.
function isHeld(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}
