// Every refusal of the API as a problem document (RFC 9457), with the challenge of RFC 6750 §3 where a token is at
// fault.

import { StorageUnavailable } from '../../lib/storage-unavailable.ts';
import { OAuthError } from '../../oauth/errors.ts';
import type { Scope } from '../../oauth/scope.ts';
import { type Answer, type HeaderLines, measured } from '../answer.ts';
import { API_PROBLEMS, type ApiProblemCode } from '../problem.ts';
import { errorPage, PATHS } from '../routes.ts';

/** A refusal with words for the developer; nothing in them is secret. */
export class ApiProblem extends Error {
  readonly code: ApiProblemCode;

  constructor(code: ApiProblemCode, detail: string) {
    super(detail);
    this.name = 'ApiProblem';
    this.code = code;
  }
}

// When the database is away, a moment may be enough.
const RETRY_AFTER_SECONDS = 5;

/** Tells which problem an error is. What nobody foresaw is a `server_error`, which tells the caller nothing of it. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof OAuthError) {
    if (error.code in API_PROBLEMS) return new ApiProblem(error.code as ApiProblemCode, error.description);
  } else if (error instanceof StorageUnavailable) {
    return new ApiProblem('temporarily_unavailable', 'The service can not read its data. Try again soon.');
  }
  return new ApiProblem('server_error', 'The request could not be answered. It has been noted.');
}

/** Answers with a problem. `scope` is what the address requires. Adds to the headers given. */
export function problemAnswer(
  baseUrl: string,
  problem: ApiProblem,
  headers: HeaderLines,
  scope?: Scope,
): Answer {
  const { status, title } = API_PROBLEMS[problem.code];
  const challenge = challengeFor(baseUrl, problem, scope);
  if (challenge !== undefined) headers.push('WWW-Authenticate', challenge);
  if (status === 503) headers.push('Retry-After', `${RETRY_AFTER_SECONDS}`);
  const type = errorPage(baseUrl, problem.code);
  const body = JSON.stringify({ type, title, status, detail: problem.message });
  const { length, encoding } = measured(body);
  headers.push('Content-Type', 'application/problem+json', 'Content-Length', length);
  return { status, headers, body, encoding };
}

// RFC 6750 §3.1: without any token the challenge says no more than how to authenticate.
function challengeFor(baseUrl: string, { code, message }: ApiProblem, scope?: Scope): string | undefined {
  // RFC 9728 §5.1: where a client that knows only the API learns whom to ask for a token.
  const metadata = baseUrl + PATHS.protectedResource + PATHS.api;
  const challenge = `Bearer realm="${baseUrl}", resource_metadata="${metadata}"`;
  if (code === 'missing_token') return challenge;
  if (code !== 'invalid_token' && code !== 'insufficient_scope') return undefined;
  const refusal = `${challenge}, error="${code}", error_description="${message}"`;
  return code === 'insufficient_scope' ? `${refusal}, scope="${scope}"` : refusal;
}
