// The resource API (spec §4.4, contract §7): its addresses, and the order in which a request is judged.

import { type Context, type Handler, Hono } from 'hono';
import type { Clock } from '../../lib/clock.ts';
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
import { API_ENDPOINTS, PATHS } from '../routes.ts';
import {
  ALLOWED_METHODS,
  type AnswerHeaders,
  COMMON_HEADERS,
  jsonAnswer,
  preflightAnswer,
} from './answer.ts';
import { apiDocument, OPENAPI_PATH } from './openapi.ts';
import { ApiProblem, problemAnswer, problemOf } from './problems.ts';
import { requestBudget } from './rate-limit.ts';
import { type Read, type ResourceParts, resources } from './resources.ts';

/** What the API stands on. */
export interface ApiParts extends ResourceParts {
  rateLimitPerMinute: number;
  oauth: AuthorizationServer;
  counter: Counter;
  clock: Clock;
  log: Log;
}

/** Everything at and below `PATHS.api`, under full paths: it is mounted at the root. */
export function apiDoor(parts: ApiParts): Hono {
  const { baseUrl } = parts.site;
  const budget = requestBudget(parts.rateLimitPerMinute, parts.counter);
  const common: Readonly<AnswerHeaders> = { ...COMMON_HEADERS, 'RateLimit-Policy': budget.policy };

  // Contract §7: authenticate, count, demand the scope, and only then read the parameters.
  function guarded(read: Read, scope: Scope | undefined): Handler {
    return async (c) => {
      const headers = { ...common };
      try {
        const principal = await authenticate(parts.oauth, c);
        await budget.spend(principal, headers);
        if (scope !== undefined) requireScope(principal, scope);
        return jsonAnswer(c, JSON.stringify(await read(principal, c)), headers);
      } catch (error) {
        const problem = problemOf(error);
        if (problem.code === 'server_error') note(parts.log, error as Error);
        return problemAnswer(baseUrl, problem, headers, scope);
      }
    };
  }

  const refuse = (problem: ApiProblem, extra: AnswerHeaders = {}) =>
    problemAnswer(baseUrl, problem, { ...common, ...extra });

  const door = new Hono();
  const reads = resources(parts);
  const root = guarded(reads['/'], undefined);
  door.get(PATHS.api, root);
  door.get(`${PATHS.api}/`, root);
  for (const { path, scope } of API_ENDPOINTS) door.get(PATHS.api + path, guarded(reads[path], scope));
  const document = apiDocument(parts.site);
  door.get(PATHS.api + OPENAPI_PATH, (c) => jsonAnswer(c, document(), { ...COMMON_HEADERS }));

  door.options(`${PATHS.api}/*`, preflightAnswer);
  const known = ['', '/', OPENAPI_PATH, ...API_ENDPOINTS.map(({ path }) => path)];
  for (const path of known) {
    door.all(PATHS.api + path, (c) => refuse(methodNotAllowed(c), { Allow: ALLOWED_METHODS }));
  }
  door.all(`${PATHS.api}/*`, () => refuse(NOT_FOUND));
  return door;
}

// Nothing but the header is looked at: a browser sends cookies, and logs keep addresses, without anyone's decision.
async function authenticate(server: AuthorizationServer, c: Context): Promise<Principal> {
  const token = readBearerToken(c.req.header('authorization'));
  if (token === undefined) throw NO_TOKEN;
  return authenticateBearer(server, token);
}

// Chosen facts: the other properties of a database's error may quote what was sent.
function note(log: Log, { name, message, stack }: Error): void {
  log.error({ name, message, stack }, 'an API request failed');
}

// Made once: they are alike for every request.
const NO_TOKEN = new ApiProblem('missing_token', 'Send an access token as Authorization: Bearer <token>.');
const NOT_FOUND = new ApiProblem('not_found', `See GET ${PATHS.api} for what there is.`);

function methodNotAllowed(c: Context): ApiProblem {
  return new ApiProblem('method_not_allowed', `This API is for reading: ${c.req.method} is not taken here.`);
}
