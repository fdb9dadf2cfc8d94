// Every refusal of the API as a problem document (RFC 9457), with the challenge of RFC 6750 §3 where a token is at
// fault.

import type { Scope } from '../../oauth/scope.ts';
import { type Answer, type HeaderLines, measured } from '../answer.ts';
import { API_PROBLEMS, type ApiProblemCode, type Problem, problemOf } from '../problem.ts';
import { errorPage, PATHS } from '../routes.ts';

/** A problem that the API has words for. */
export interface ApiProblem extends Problem {
  code: ApiProblemCode;
}

/** Tells what an error is to a caller of the API. */
export function apiProblemOf(error: unknown): ApiProblem {
  const problem = problemOf(error);
  return isApiProblem(problem) ? problem : apiProblemOf(undefined);
}

function isApiProblem(problem: Problem): problem is ApiProblem {
  return problem.code in API_PROBLEMS;
}

/** Answers with a problem. `scope` is what the address requires. Adds to the headers given. */
export function problemAnswer(
  baseUrl: string,
  problem: ApiProblem,
  headers: HeaderLines,
  scope?: Scope,
): Answer {
  const { code, status, detail, retryAfterSeconds } = problem;
  const { title } = API_PROBLEMS[code];
  const challenge = challengeFor(baseUrl, problem, scope);
  if (challenge !== undefined) headers.push('WWW-Authenticate', challenge);
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', `${retryAfterSeconds}`);
  const type = errorPage(baseUrl, code);
  const body = JSON.stringify({ type, title, status, detail });
  const { length, encoding } = measured(body);
  headers.push('Content-Type', 'application/problem+json', 'Content-Length', length);
  return { status, headers, body, encoding };
}

// RFC 6750 §3.1: without any token the challenge says no more than how to authenticate.
function challengeFor(baseUrl: string, { code, detail }: ApiProblem, scope?: Scope): string | undefined {
  // RFC 9728 §5.1: where a client that knows only the API learns whom to ask for a token.
  const metadata = baseUrl + PATHS.protectedResource + PATHS.api;
  const challenge = `Bearer realm="${baseUrl}", resource_metadata="${metadata}"`;
  if (code === 'missing_token') return challenge;
  if (code !== 'invalid_token' && code !== 'insufficient_scope') return undefined;
  const refusal = `${challenge}, error="${code}", error_description="${detail}"`;
  return code === 'insufficient_scope' ? `${refusal}, scope="${scope}"` : refusal;
}
