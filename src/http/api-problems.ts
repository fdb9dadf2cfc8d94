// The API's refusals as problem documents (RFC 9457), with the challenge of RFC 6750 §3.

import type { Scope } from '../oauth/scope.ts';
import { type Answer, type HeaderLines, measure } from './answer.ts';
import { API_PROBLEMS, type ApiProblemCode, type Problem, problemOf } from './problem.ts';
import { errorPage, PATHS } from './routes.ts';

/** A problem whose code the API knows. */
export interface ApiProblem extends Problem {
  code: ApiProblemCode;
}

/** Translate an error for a caller of the API. */
export function apiProblemOf(error: unknown): ApiProblem {
  const problem = problemOf(error);
  return isApiProblem(problem) ? problem : apiProblemOf(undefined);
}

function isApiProblem(problem: Problem): problem is ApiProblem {
  return problem.code in API_PROBLEMS;
}

/**
 * Answer with a problem. `scope` is the one that the request requires, `resource` the path of the resource. Adds to
 * `headers`.
 */
export function problemAnswer(
  baseUrl: string,
  problem: ApiProblem,
  headers: HeaderLines,
  scope?: Scope,
  resource: string = PATHS.api,
): Answer {
  const { code, status, detail, retryAfterSeconds } = problem;
  const { title } = API_PROBLEMS[code];
  const challenge = challengeFor(baseUrl, problem, resource, scope);
  if (challenge !== undefined) headers.push('WWW-Authenticate', challenge);
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', `${retryAfterSeconds}`);
  const type = errorPage(baseUrl, code);
  const body = JSON.stringify({ type, title, status, detail });
  const { length, encoding } = measure(body);
  headers.push('Content-Type', 'application/problem+json', 'Content-Length', length);
  return { status, headers, body, encoding };
}

// RFC 6750 §3.1: a request without a token gets a challenge without an error code.
function challengeFor(
  baseUrl: string,
  { code, detail }: ApiProblem,
  resource: string,
  scope?: Scope,
): string | undefined {
  // RFC 9728 §5.1: the metadata tells a client that knows only the resource where to get a token.
  const metadata = baseUrl + PATHS.protectedResource + resource;
  const challenge = `Bearer realm="${baseUrl}", resource_metadata="${metadata}"`;
  if (code === 'missing_token') return challenge;
  if (code !== 'invalid_token' && code !== 'insufficient_scope') return undefined;
  const refusal = `${challenge}, error="${code}", error_description="${detail}"`;
  return code === 'insufficient_scope' ? `${refusal}, scope="${scope}"` : refusal;
}
