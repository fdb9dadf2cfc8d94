// What every answer of the API carries, and how a body is sent only to those who don't hold it yet.

import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { requestHeader } from '../request-header.ts';

/** The headers of one answer while it is made. */
export type AnswerHeaders = Record<string, string>;

/**
 * The headers of all answers, and no more than are needed: each costs 1 % of a short answer. Any page may read them:
 * the token is in a header that no browser adds by itself, so there is nothing that a foreign page could borrow.
 */
export const COMMON_HEADERS: Readonly<AnswerHeaders> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization',
};

/** What the addresses of the API take; anything else is a 405. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The answer to OPTIONS: what a page of another origin may send (the preflight of CORS). */
export function preflightAnswer(common: Readonly<AnswerHeaders>): Response {
  return new Response(null, { status: 204, headers: { ...common, ...PREFLIGHT_HEADERS } });
}

const PREFLIGHT_HEADERS: Readonly<AnswerHeaders> = {
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match',
  'Access-Control-Max-Age': '86400',
};

/** A body that is ready to be sent. */
export interface Rendered {
  json: string;
  /** In bytes. */
  length: string;
  entityTag: string;
}

export function rendered(body: object): Rendered {
  const json = JSON.stringify(body);
  return { json, length: String(Buffer.byteLength(json)), entityTag: entityTagOf(json) };
}

/** Answers with a body, or with 304 if the caller named its entity tag. */
export function jsonAnswer(c: Context, body: Rendered, headers: AnswerHeaders): Response {
  headers.ETag = body.entityTag;
  if (isHeld(requestHeader(c, 'if-none-match'), body.entityTag)) {
    return new Response(null, { status: 304, headers });
  }
  headers['Content-Type'] = 'application/json';
  headers['Content-Length'] = body.length;
  return new Response(body.json, { status: 200, headers });
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
