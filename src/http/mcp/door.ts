// What assistants read (Model Context Protocol, Streamable HTTP without sessions): the transport, and the checks of the
// resource API in their order. The tools are loaded with the first request, because the protocol's library is large.

import type { HttpBindings } from '@hono/node-server';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { type Context, Hono } from 'hono';
import { lazily } from '../../lib/remember.ts';
import type { Reading } from '../../oauth/access-diary-store.ts';
import { type Principal, requireScope } from '../../oauth/bearer-token.ts';
import { isLoopback } from '../../oauth/redirect-uri.ts';
import type { Scope } from '../../oauth/scope.ts';
import { type Answer, type BareRequest, emptyAnswer, type HeaderLines } from '../answer.ts';
import { type ApiProblem, apiProblemOf, problemAnswer } from '../api-problems.ts';
import {
  authenticateCaller,
  type CallerParts,
  logFailure,
  noteReading,
  noteRefusedCaller,
} from '../caller.ts';
import { requestBudget } from '../rate-limit.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';
import { PATHS } from '../routes.ts';
import { protectiveHeaders } from '../security-headers.ts';
import type { Exchange, ToolParts } from './tools.ts';

/** The modules, settings and tools that assistants need. */
export interface McpParts extends ToolParts, CallerParts {
  rateLimitPerMinute: number;
}

// Far more than a call of our tools takes.
const MOST_BODY_BYTES = 64 * 1024;

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
    let call = NO_CALL;
    let caller: Principal | undefined;
    try {
      caller = await authenticateCaller(parts, incoming, PATHS.mcp);
      await budget.spend(caller, headers);
      const message = c.req.method === 'POST' ? await readMessage(c) : undefined;
      call = callOf(message);
      if (call.scope !== undefined) requireScope(caller, call.scope);
      const { fetch } = await handler();
      const response = await fetch(c.req.raw, {
        authInfo: authInfoOf(exchangeOf(incoming, caller, call)),
        parsedBody: message,
      });
      return withHeaders(response, headers);
    } catch (error) {
      if (error instanceof Unreadable) return refusedMessage(400, error.code, error.message, headers);
      const problem = refused(incoming, caller, call.reading, error);
      return responseOf(problemAnswer(baseUrl, problem, headers, call.scope, PATHS.mcp));
    }
  }

  function exchangeOf(incoming: BareRequest, caller: Principal, call: Call): Exchange {
    const note = (reading: Reading, posts: number) =>
      noteReading(parts, incoming, caller, { reading, status: 200, posts });
    // A tool notes what it read by itself, because only it knows.
    if (call === NO_CALL) note('service', 0);
    return { caller, note, fail: (reading, error) => refused(incoming, caller, reading, error).detail };
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
    noteRefusedCaller(parts, incoming, { caller, reading, problem, error });
    return problem;
  }

  return new Hono().all(PATHS.mcp, serve);
}

const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
};

// The wildcard doesn't cover Authorization. The protocol's own headers vary with its versions.
const PREFLIGHT_HEADERS = Object.entries({
  Allow: 'POST, OPTIONS',
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, *',
  'Access-Control-Max-Age': '86400',
}).flat();

/** What a message asks for. */
interface Call {
  reading: Reading;
  scope?: Scope;
}

const NO_CALL: Call = { reading: 'service' };

/** What each tool reads, and the scope that it requires. */
export const CALLS = {
  get_profile: { reading: 'profile', scope: 'profile:read' },
  list_posts: { reading: 'posts', scope: 'posts:read' },
} as const satisfies Record<string, Call>;

function callOf(message: unknown): Call {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (method !== 'tools/call') return NO_CALL;
  const name = String(params?.name);
  return Object.hasOwn(CALLS, name) ? CALLS[name as keyof typeof CALLS] : NO_CALL;
}

/** A body that is no message, with the code of JSON-RPC. */
class Unreadable extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

async function readMessage(c: Context): Promise<unknown> {
  const message = parsed(new TextDecoder().decode(await bytesOf(c)));
  // Early versions of the protocol had batches. Each call must count, so that they can't get around the limit.
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw new Unreadable(-32600, 'Send one message in each request, as a JSON object.');
}

async function bytesOf(c: Context): Promise<Uint8Array> {
  try {
    return await readBytes(c, MOST_BODY_BYTES);
  } catch (error) {
    if (error instanceof UnreadableForm && error.status === 413) throw new Unreadable(-32600, error.message);
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable(-32700, 'The body is not JSON.');
  }
}

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

function withHeaders({ body, status, headers }: Response, lines: HeaderLines): Response {
  const merged = new Headers(headers);
  for (const [name, value] of pairs(lines)) merged.set(name, value);
  return new Response(body, { status, headers: merged });
}

function responseOf({ status, headers, body }: Answer): Response {
  return new Response(status === 204 ? null : body, { status, headers: pairs(headers) });
}

function pairs(lines: HeaderLines): [string, string][] {
  return Array.from({ length: lines.length / 2 }, (_, i) => [lines[2 * i] ?? '', lines[2 * i + 1] ?? '']);
}
