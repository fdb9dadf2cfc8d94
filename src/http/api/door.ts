// The resource API (spec §4.4, contract §7): its addresses, and the order of its checks.

import type { AuditLog } from '../../audit/audit-log.ts';
import { type Awaitable, andThen } from '../../lib/awaitable.ts';
import type { Counter } from '../../lib/counter.ts';
import type { Log } from '../../lib/log.ts';
import { memoize } from '../../lib/remember.ts';
import type { AccessDiary } from '../../oauth/access-diary.ts';
import type { Reading } from '../../oauth/access-diary-store.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import {
  AddressNotAllowed,
  authenticateBearer,
  type Principal,
  readBearerToken,
  requireScope,
} from '../../oauth/bearer-token.ts';
import type { Scope } from '../../oauth/scope.ts';
import { settingsOf } from '../../site/site.ts';
import { type Answer, type BareRequest, type HeaderLines, requestPath } from '../answer.ts';
import type { ApiDoor } from '../app.ts';
import type { ClientAddress } from '../client-address.ts';
import { HttpRefusal } from '../problem.ts';
import { noteRefusal } from '../refused-requests.ts';
import { API_ENDPOINTS, doorOf, PATHS } from '../routes.ts';
import { protectiveHeaders } from '../security-headers.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, jsonAnswer, preflightAnswer, type Rendered } from './answer.ts';
import { type ApiProblem, apiProblemOf, problemAnswer } from './problems.ts';
import { requestBudget } from './rate-limit.ts';
import { type Read, type ResourceParts, resources } from './resources.ts';

/** The modules, settings and tools that the API needs. */
export interface ApiParts extends ResourceParts {
  rateLimitPerMinute: number;
  oauth: AuthorizationServer;
  audit: AuditLog;
  clientAddress: ClientAddress;
  counter: Counter;
  diary: AccessDiary;
  log: Log;
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
        noteReading(request, caller as Principal, reading, made.status, made.status === 200 ? body.posts : 0);
        return made;
      };
      let caller: Principal | undefined;
      const work = () =>
        andThen(authenticate(parts, request, path), (principal) => {
          caller = principal;
          if (principal.expiresAt !== undefined) headers.push(EXPIRY_HEADER, isoOf(principal.expiresAt));
          return andThen(budget.spend(principal, headers), () => {
            if (scope !== undefined) requireScope(principal, scope);
            return andThen(read(principal, request), answer);
          });
        });
      return answerOrRefuse(work, headers, scope, ({ code, status }, error) => {
        if (error instanceof AddressNotAllowed) noteAddress(request, error);
        if (caller === undefined) return;
        noteReading(request, caller, reading, status, 0);
        note(request, caller, code);
      });
    };
  }

  function noteReading(
    request: BareRequest,
    caller: Principal,
    reading: Reading,
    status: number,
    posts: number,
  ): void {
    const userAgent = request.headers['user-agent'];
    parts.diary.note(caller, { reading, status, posts, address: addressOf(parts, request), userAgent });
  }

  function noteAddress(request: BareRequest, { userId, tokenId }: AddressNotAllowed): void {
    const about = { userId, address: addressOf(parts, request), subject: String(tokenId) };
    noteRefusal(parts, { event: 'access_denied', ...about, detail: 'token_address' });
  }

  function note(request: BareRequest, caller: Principal, code: ApiProblem['code']): void {
    if (code !== 'insufficient_scope' && code !== 'rate_limited') return;
    const facts = { userId: caller.user.id, address: addressOf(parts, request) };
    if (code === 'rate_limited') noteRefusal(parts, { event: 'requests_limited', ...facts, detail: 'api' });
    else noteRefusal(parts, { event: 'access_denied', ...facts, detail: 'scope' });
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
      if (problem.code === 'server_error') logFailure(parts.log, error as Error);
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
    if (resource === undefined) return problemAnswer(baseUrl, NOT_FOUND, [...commonHeaders]);
    if (method === 'GET' || method === 'HEAD') return resource(request);
    const headers = [...commonHeaders, 'Allow', ALLOWED_METHODS];
    return problemAnswer(baseUrl, methodNotAllowed(method), headers);
  };
}

const READING_OF = { '/me': 'profile', '/me/posts': 'posts' } as const;

const OPENAPI_PATH = '/openapi.json';

type Resource = (request: BareRequest) => Awaitable<Answer>;

// Only the header counts: browsers send cookies by themselves, and addresses end up in logs.
function authenticate(parts: ApiParts, request: BareRequest, endpoint: string): Awaitable<Principal> {
  const { authorization, 'user-agent': userAgent } = request.headers;
  const token = readBearerToken(authorization);
  if (token === undefined)
    throw /[?&](?:access_)?token=/i.test(request.url ?? '') ? TOKEN_IN_ADDRESS : NO_TOKEN;
  return authenticateBearer(parts.oauth, token, () => ({
    address: addressOf(parts, request),
    userAgent,
    endpoint,
  }));
}

function addressOf(parts: ApiParts, incoming: BareRequest): string {
  return parts.clientAddress({ env: { incoming } });
}

// For API tokens that expire, so that a script can warn its owner in time.
const EXPIRY_HEADER = 'X-Token-Expires-At';
const isoOf = memoize((moment: number) => new Date(moment).toISOString(), 1000);

// Only these properties are logged: other properties of a database error may quote the request.
function logFailure(log: Log, { name, message, stack }: Error): void {
  log.error({ name, message, stack }, 'an API request failed');
}

// Made once, because they are the same for every request.
const NO_TOKEN = new HttpRefusal('missing_token', 'Send an access token as Authorization: Bearer <token>.');
const TOKEN_IN_ADDRESS = new HttpRefusal(
  'missing_token',
  'A token in the address is ignored, and has leaked: addresses end up in logs. Revoke it, and send a new one as Authorization: Bearer <token>.',
);
const NOT_FOUND = apiProblemOf(new HttpRefusal('not_found', `GET ${PATHS.api} lists the endpoints.`));

function methodNotAllowed(method: string): ApiProblem {
  return apiProblemOf(
    new HttpRefusal('method_not_allowed', `This API only reads data: ${method} is not allowed.`),
  );
}
