// The resource API (spec §4.4, contract §7): its addresses, and the order in which a request is judged.

import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import type { Counter } from '../../lib/counter.ts';
import type { Log } from '../../lib/log.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import {
  authenticateBearer,
  type Principal,
  readBearerToken,
  requireScope,
} from '../../oauth/bearer-token.ts';
import type { Scope } from '../../oauth/scope.ts';
import { type Answer, type BareRequest, type HeaderLines, requestPath } from '../answer.ts';
import type { ApiDoor } from '../app.ts';
import { Refusal } from '../problem.ts';
import { API_ENDPOINTS, PATHS } from '../routes.ts';
import { protectiveHeaders } from '../security-headers.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, jsonAnswer, preflightAnswer, type Rendered } from './answer.ts';
import { type ApiProblem, apiProblemOf, problemAnswer } from './problems.ts';
import { requestBudget } from './rate-limit.ts';
import { type Read, type ResourceParts, resources } from './resources.ts';

/** What the API stands on. */
export interface ApiParts extends ResourceParts {
  rateLimitPerMinute: number;
  oauth: AuthorizationServer;
  counter: Counter;
  log: Log;
}

export function apiDoor(parts: ApiParts): ApiDoor {
  const { baseUrl } = parts.site;
  const budget = requestBudget(parts.rateLimitPerMinute, parts.counter);
  const open: readonly string[] = Object.entries({ ...protectiveHeaders(baseUrl), ...COMMON_HEADERS }).flat();
  const common: readonly string[] = [...open, 'RateLimit-Policy', budget.policy];

  // Contract §7: authenticate, count, demand the scope, and only then read the parameters.
  function guarded(read: Read, scope: Scope | undefined): Resource {
    return (request) => {
      const headers = [...common];
      const answer = (body: Rendered) => jsonAnswer(request, body, headers);
      const work = () =>
        andThen(authenticate(parts.oauth, request), (principal) =>
          andThen(budget.spend(principal, headers), () => {
            if (scope !== undefined) requireScope(principal, scope);
            return andThen(read(principal, request), answer);
          }),
        );
      return refusing(work, headers, scope);
    };
  }

  // In the same turn where nothing must be waited for: a promise costs as much as all the checks together.
  function refusing(work: () => Awaitable<Answer>, headers: HeaderLines, scope?: Scope): Awaitable<Answer> {
    const refuse = (error: unknown) => {
      const problem = apiProblemOf(error);
      if (problem.code === 'server_error') note(parts.log, error as Error);
      return problemAnswer(baseUrl, problem, headers, scope);
    };
    try {
      const answered = work();
      return answered instanceof Promise ? answered.catch(refuse) : answered;
    } catch (error) {
      return refuse(error);
    }
  }

  const reads = resources(parts);
  let document: Rendered | undefined;
  const found = new Map<string, Resource>();
  for (const path of ['', '/']) found.set(PATHS.api + path, guarded(reads['/'], undefined));
  for (const { path, scope } of API_ENDPOINTS) found.set(PATHS.api + path, guarded(reads[path], scope));
  found.set(PATHS.api + OPENAPI_PATH, (request) => {
    const headers = [...open];
    const describe = async () => {
      // Loaded for the first reader, since it takes the library of the schemas.
      document ??= (await import('./openapi.ts')).apiDocument(parts.site);
      return jsonAnswer(request, document, headers);
    };
    return refusing(describe, headers);
  });

  return (request) => {
    const path = requestPath(request);
    const resource = found.get(path);
    if (resource === undefined && !path.startsWith(`${PATHS.api}/`)) return undefined;
    const { method = '' } = request;
    if (method === 'OPTIONS') return preflightAnswer(open);
    if (resource === undefined) return problemAnswer(baseUrl, NOT_FOUND, [...common]);
    if (method === 'GET' || method === 'HEAD') return resource(request);
    const headers = [...common, 'Allow', ALLOWED_METHODS];
    return problemAnswer(baseUrl, methodNotAllowed(method), headers);
  };
}

const OPENAPI_PATH = '/openapi.json';

type Resource = (request: BareRequest) => Awaitable<Answer>;

// Nothing but the header is looked at: a browser sends cookies, and logs keep addresses, without anyone's decision.
function authenticate(server: AuthorizationServer, { headers }: BareRequest): Awaitable<Principal> {
  const token = readBearerToken(headers.authorization);
  if (token === undefined) throw NO_TOKEN;
  return authenticateBearer(server, token);
}

// Chosen facts: the other properties of a database's error may quote what was sent.
function note(log: Log, { name, message, stack }: Error): void {
  log.error({ name, message, stack }, 'an API request failed');
}

// Made once: they are alike for every request.
const NO_TOKEN = new Refusal('missing_token', 'Send an access token as Authorization: Bearer <token>.');
const NOT_FOUND = apiProblemOf(new Refusal('not_found', `See GET ${PATHS.api} for what there is.`));

function methodNotAllowed(method: string): ApiProblem {
  return apiProblemOf(
    new Refusal('method_not_allowed', `This API is for reading: ${method} is not taken here.`),
  );
}
