// What assistants read (Model Context Protocol, Streamable HTTP without sessions): the transport, and the checks of the
// resource API in their order. The tools are loaded with the first request, because the protocol's library is large.

import type { HttpBindings } from '@hono/node-server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import { lazily } from '../../lib/remember.ts';
import type { Reading } from '../../oauth/access-diary-store.ts';
import { type Principal, requireScope } from '../../oauth/bearer-token.ts';
import { isLoopback } from '../../oauth/redirect-uri.ts';
import { type Answer, type BareRequest, emptyAnswer, type HeaderLines } from '../answer.ts';
import { type ApiProblem, apiProblemOf, problemAnswer } from '../api-problems.ts';
import {
  authenticateCaller,
  type CallerParts,
  logFailure,
  noteReading,
  noteRefusedReading,
} from '../caller.ts';
import { HttpRefusal } from '../problem.ts';
import { requestBudget } from '../rate-limit.ts';
import { PATHS } from '../routes.ts';
import { protectiveHeaders } from '../security-headers.ts';
import { callOf, NO_CALL, readMessage, Unreadable } from './message.ts';
import type { Exchange, ToolParts } from './tools.ts';

/** The modules, settings and tools that assistants need. */
export interface McpParts extends ToolParts, CallerParts {
  rateLimitPerMinute: number;
}

/** Serve the endpoint for assistants. */
export function mcpEndpoint(parts: McpParts): Hono {
  const { baseUrl } = parts.site;
  const budget = requestBudget(parts.rateLimitPerMinute, parts.counter);
  const common: HeaderLines = Object.entries({ ...protectiveHeaders(baseUrl), ...COMMON_HEADERS }).flat();
  const handler = lazily(async () => (await import('./tools.ts')).toolHandler(parts));

  async function serve(c: Context): Promise<Response> {
    const headers = [...common];
    const { incoming } = c.env as HttpBindings;
    if (!isAllowedOrigin(incoming.headers.origin, baseUrl)) return foreignOrigin(headers);
    if (c.req.method === 'OPTIONS') return responseOf(emptyAnswer(204, [...headers, ...PREFLIGHT_HEADERS]));
    headers.push('RateLimit-Policy', budget.policy);
    if (c.req.method !== 'POST') {
      return responseOf(problemAnswer(baseUrl, POST_ONLY, [...headers, 'Allow', ALLOWED_METHODS]));
    }
    let call = NO_CALL;
    let caller: Principal | undefined;
    try {
      caller = await authenticateCaller(parts, incoming, PATHS.mcp);
      await budget.spend(caller, headers);
      await spendOfMember(caller);
      const message = await readMessage(c);
      // The access can have ended while the body arrived.
      caller = await authenticateCaller(parts, incoming, PATHS.mcp);
      call = callOf(message);
      if (call.scope !== undefined) requireScope(caller, call.scope);
      const tools = await handler();
      const response = await tools.fetch(c.req.raw, {
        authInfo: authInfoOf(exchangeOf(incoming, caller)),
        parsedBody: message,
      });
      // A tool notes what it read by itself, because only it knows.
      if (call === NO_CALL) note(incoming, caller, 'service', response.ok ? 200 : response.status);
      return await withHeaders(response, headers);
    } catch (error) {
      if (caller !== undefined && error instanceof Unreadable) {
        note(incoming, caller, 'service', 400);
        return refusedMessage(400, error.code, error.message, headers);
      }
      const problem = refused(incoming, caller, call.reading, error);
      return responseOf(problemAnswer(baseUrl, problem, headers, call.scope, PATHS.mcp));
    }
  }

  // A message costs many times a request of the API, and a member can have many tokens. Each application, and the
  // API tokens together, have a share that no other can use up.
  async function spendOfMember({ user, clientId }: Principal): Promise<void> {
    const share = `assistants:${user.id}:${clientId}`;
    if ((await parts.counter.hit(share, parts.rateLimitPerMinute, WINDOW_SECONDS)).allowed) return;
    const most = LIMITS_OF_MEMBER * parts.rateLimitPerMinute;
    const { allowed, resetSeconds } = await parts.counter.hit(`assistants:${user.id}`, most, WINDOW_SECONDS);
    if (allowed) return;
    const detail = `The assistants of a member may send ${most} messages a minute. Wait ${resetSeconds} seconds.`;
    throw new HttpRefusal('rate_limited', detail, resetSeconds);
  }

  function exchangeOf(incoming: BareRequest, caller: Principal): Exchange {
    return {
      caller,
      note: (reading, posts) => note(incoming, caller, reading, 200, posts),
      fail: (reading, error) => refused(incoming, caller, reading, error).detail,
    };
  }

  function note(incoming: BareRequest, caller: Principal, reading: Reading, status: number, posts = 0): void {
    noteReading(parts, incoming, caller, { path: PATHS.mcp, reading, status, posts });
  }

  function refused(
    incoming: BareRequest,
    caller: Principal | undefined,
    reading: Reading,
    error: unknown,
  ): ApiProblem {
    const problem = apiProblemOf(error);
    if (problem.code === 'server_error')
      logFailure(parts.log, error as Error, 'a call of an assistant failed');
    noteRefusedReading(parts, incoming, { path: PATHS.mcp, caller, reading, problem, error });
    return problem;
  }

  return new Hono().all(PATHS.mcp, serve);
}

// As many as this many tokens may send.
const LIMITS_OF_MEMBER = 4;
const WINDOW_SECONDS = 60;

const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
};

const ALLOWED_METHODS = 'POST, OPTIONS';

const POST_ONLY = apiProblemOf(
  new HttpRefusal(
    'method_not_allowed',
    'Send messages with POST: there is no stream to open and no session to end.',
  ),
);

// The wildcard doesn't cover Authorization. The protocol's own headers vary with its versions.
const PREFLIGHT_HEADERS = Object.entries({
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, *',
  'Access-Control-Max-Age': '86400',
}).flat();

/**
 * Report whether a page of this origin may call. A page whose name was rebound to this machine (DNS rebinding) has an
 * http origin, because it lacks our certificate.
 */
export function isAllowedOrigin(origin: string | undefined, baseUrl: string): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  if (url === null) return false;
  return url.protocol !== 'http:' || isLoopback(url.hostname) || url.origin === new URL(baseUrl).origin;
}

function foreignOrigin(headers: HeaderLines): Response {
  return refusedMessage(
    403,
    -32600,
    'Pages of this origin may not call: it must be https or this machine.',
    headers,
  );
}

function refusedMessage(status: number, code: number, message: string, headers: HeaderLines): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  return responseOf({ ...emptyAnswer(status, [...headers, 'Content-Type', 'application/json']), body });
}

// The library gets no token, because nothing in it needs one.
function authInfoOf(exchange: Exchange): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { ...exchange } };
}

// As a whole, because the bytes of a stream that nobody reads aren't counted.
async function withHeaders(response: Response, lines: HeaderLines): Promise<Response> {
  const { status } = response;
  const merged = new Headers(response.headers);
  for (const [name, value] of pairs(lines)) merged.set(name, value);
  return new Response((await response.text()) || null, { status, headers: merged });
}

function responseOf({ status, headers, body }: Answer): Response {
  return new Response(status === 204 ? null : body, { status, headers: pairs(headers) });
}

function pairs(lines: HeaderLines): [string, string][] {
  return Array.from({ length: lines.length / 2 }, (_, i) => [lines[2 * i] ?? '', lines[2 * i + 1] ?? '']);
}
