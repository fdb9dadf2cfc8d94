// The resource API (spec §4.4, contract §7): its addresses, and the order of its checks.

import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import { memoize } from '../../lib/remember.ts';
import type { Reading } from '../../oauth/access-diary-store.ts';
import { type Principal, requireScope } from '../../oauth/bearer-token.ts';
import type { Scope } from '../../oauth/scope.ts';
import { settingsOf } from '../../site/site.ts';
import { type Answer, type BareRequest, type HeaderLines, requestPath } from '../answer.ts';
import { type ApiProblem, apiProblemOf, problemAnswer } from '../api-problems.ts';
import type { ApiDoor } from '../app.ts';
import {
  authenticateCaller,
  type CallerParts,
  logFailure,
  noteReading,
  noteRefusedReading,
} from '../caller.ts';
import { noteRefusedCall } from '../inspected-call.ts';
import { HttpRefusal } from '../problem.ts';
import { requestBudget } from '../rate-limit.ts';
import { API_ENDPOINTS, doorOf, PATHS } from '../routes.ts';
import { protectiveHeaders } from '../security-headers.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, jsonAnswer, preflightAnswer, type Rendered } from './answer.ts';
import { type Read, type ResourceParts, resources } from './resources.ts';

/** The modules, settings and tools that the API needs. */
export interface ApiParts extends ResourceParts, CallerParts {
  rateLimitPerMinute: number;
}

/** Build the function that answers the API's requests. */
export function apiDoor(parts: ApiParts): ApiDoor {
  const { baseUrl } = parts.site;
  const budget = requestBudget(parts.rateLimitPerMinute, parts.counter);
  const publicHeaders: readonly string[] = Object.entries({
    ...protectiveHeaders(baseUrl),
    ...COMMON_HEADERS,
  }).flat();
  const commonHeaders: readonly string[] = [...publicHeaders, 'RateLimit-Policy', budget.policy];

  // Contract §7: authenticate, count the request, check the scope, and only then read the parameters.
  function guarded(path: string, read: Read, reading: Reading, scope: Scope | undefined): Resource {
    return (request) => {
      const headers = [...commonHeaders];
      const answer = (body: Rendered) => {
        const made = jsonAnswer(request, body, headers);
        const { status } = made;
        const posts = status === 200 ? body.posts : 0;
        noteReading(parts, request, caller as Principal, { path, reading, status, posts });
        return made;
      };
      let caller: Principal | undefined;
      const work = () =>
        andThen(authenticateCaller(parts, request, path), (principal) => {
          caller = principal;
          if (principal.expiresAt !== undefined) headers.push(EXPIRY_HEADER, isoOf(principal.expiresAt));
          return andThen(budget.spend(principal, headers), () => {
            if (scope !== undefined) requireScope(principal, scope);
            return andThen(read(principal, request), answer);
          });
        });
      return answerOrRefuse(work, headers, scope, (problem, error) => {
        noteRefusedReading(parts, request, { path, caller, reading, problem, error });
      });
    };
  }

  // Answers that are ready are returned synchronously; a promise would cost as much as all the checks.
  function answerOrRefuse(
    work: () => Awaitable<Answer>,
    headers: HeaderLines,
    scope?: Scope,
    onRefusal?: (problem: ApiProblem, error: unknown) => void,
  ): Awaitable<Answer> {
    const refuse = (error: unknown) => {
      const problem = apiProblemOf(error);
      if (problem.code === 'server_error') logFailure(parts.log, error as Error, 'an API request failed');
      onRefusal?.(problem, error);
      return problemAnswer(baseUrl, problem, headers, scope);
    };
    try {
      const answer = work();
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
    }
  }

  const reads = resources(parts);
  // Loaded with the first request, because it needs the schema library.
  const documents = memoize(
    async (siteName: string) => (await import('./openapi.ts')).apiDocument(siteName, baseUrl),
    1,
  );
  const resourcesByPath = new Map<string, Resource>();
  const base = guarded(`${PATHS.api}/`, reads['/'], 'service', undefined);
  for (const path of ['', '/']) resourcesByPath.set(PATHS.api + path, base);
  for (const { path, scope } of API_ENDPOINTS) {
    resourcesByPath.set(PATHS.api + path, guarded(PATHS.api + path, reads[path], READING_OF[path], scope));
  }
  resourcesByPath.set(PATHS.api + OPENAPI_PATH, (request) => {
    const headers = [...publicHeaders];
    const describe = async () => {
      const { name } = await settingsOf(parts.site);
      return jsonAnswer(request, await documents(name), headers);
    };
    return answerOrRefuse(describe, headers);
  });

  return (request) => {
    const path = requestPath(request);
    const resource = resourcesByPath.get(path);
    if (resource === undefined && doorOf(path) !== 'api') return undefined;
    const { method = '' } = request;
    if (method === 'OPTIONS') return preflightAnswer(publicHeaders);
    if (resource === undefined) {
      noteRefusedCall(parts, request, { endpoint: 'api', problem: NOT_FOUND });
      return problemAnswer(baseUrl, NOT_FOUND, [...commonHeaders]);
    }
    if (method === 'GET' || method === 'HEAD') return resource(request);
    const headers = [...commonHeaders, 'Allow', ALLOWED_METHODS];
    const problem = methodNotAllowed(method);
    noteRefusedCall(parts, request, { endpoint: 'api', path, problem });
    return problemAnswer(baseUrl, problem, headers);
  };
}

// Under which names the owner of an application sees the refusals; all other answers count as `api`.
const READING_OF = { '/me': 'profile', '/me/posts': 'posts' } as const;

const OPENAPI_PATH = '/openapi.json';

type Resource = (request: BareRequest) => Awaitable<Answer>;

// For API tokens that expire, so that a script can warn its owner in time.
const EXPIRY_HEADER = 'X-Token-Expires-At';
const isoOf = memoize((moment: number) => new Date(moment).toISOString(), 1000);

const NOT_FOUND = apiProblemOf(new HttpRefusal('not_found', `GET ${PATHS.api} lists the endpoints.`));

function methodNotAllowed(method: string): ApiProblem {
  return apiProblemOf(
    new HttpRefusal('method_not_allowed', `This API only reads data: ${method} is not allowed.`),
  );
}
