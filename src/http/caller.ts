// The callers that present a token, for the resource API and for assistants: who they are, and what is noted of them.

import type { AuditLog } from '../audit/audit-log.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { Counter } from '../lib/counter.ts';
import type { Log } from '../lib/log.ts';
import type { AccessDiary, DiaryRequest } from '../oauth/access-diary.ts';
import type { Reading } from '../oauth/access-diary-store.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import {
  AddressNotAllowed,
  authenticateBearer,
  type Principal,
  readBearerToken,
  TokenRefused,
} from '../oauth/bearer-token.ts';
import type { ClientNumbers } from '../oauth/client-numbers.ts';
import type { RequestInspector } from '../oauth/request-inspector.ts';
import type { BareRequest } from './answer.ts';
import type { ApiProblem } from './api-problems.ts';
import type { ClientAddress } from './client-address.ts';
import { noteRefusedCall } from './inspected-call.ts';
import { HttpRefusal } from './problem.ts';
import { noteRefusal, noteRefusedAddress } from './refused-requests.ts';

/** The modules and tools that tell callers apart and note what they read. */
export interface CallerParts {
  oauth: AuthorizationServer;
  audit: AuditLog;
  diary: AccessDiary;
  numbers: ClientNumbers;
  inspector: RequestInspector;
  counter: Counter;
  clientAddress: ClientAddress;
  log: Log;
}

/**
 * Identify the caller. Throws `missing_token` or `invalid_token`. Only the header counts: browsers send cookies by
 * themselves, and addresses end up in logs. `endpoint` is the path that an API token was last used at.
 */
export function authenticateCaller(
  parts: CallerParts,
  request: BareRequest,
  endpoint: string,
): Awaitable<Principal> {
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

/** A request that was answered, or refused after its token was accepted. */
export interface ReadCall extends Pick<DiaryRequest, 'reading' | 'status' | 'posts'> {
  path: string;
}

/** Note what a request read in the member's diary, and that it came for the developer of its application. */
export function noteReading(
  parts: CallerParts,
  request: BareRequest,
  caller: Principal,
  { path, reading, status, posts }: ReadCall,
): void {
  const userAgent = request.headers['user-agent'];
  const from = { address: addressOf(parts, request), userAgent, isLimited: status === 429 };
  parts.diary.note(caller, { reading, status, posts, ...from });
  if (caller.clientId !== '') parts.numbers.note(caller.clientId, nameOf(status), caller.checkedAt);
  if (status < 400) parts.inspector.noteRead(caller, path, status);
}

/** A request that was refused. */
export interface RefusedReading {
  path: string;
  /** Undefined if the token was refused. */
  caller: Principal | undefined;
  /** What the answer would have held. */
  reading: Reading;
  problem: ApiProblem;
  error: unknown;
}

/** Note a refused request for the developer, in the member's diary and, where it is one, as a security event. */
export function noteRefusedReading(
  parts: CallerParts,
  request: BareRequest,
  { path, caller, reading, problem, error }: RefusedReading,
): void {
  const { code, status } = problem;
  noteRefusedCall(parts, request, { endpoint: 'api', path, caller, problem, error });
  if (error instanceof AddressNotAllowed) noteRefusedAddress(parts, error, addressOf(parts, request));
  if (error instanceof TokenRefused) {
    parts.numbers.note(error.clientId, API_STATUS[401], parts.oauth.clock());
  }
  if (caller === undefined) return;
  noteReading(parts, request, caller, { path, reading, status, posts: 0 });
  const facts = { userId: caller.user.id, address: addressOf(parts, request) };
  if (code === 'rate_limited') noteRefusal(parts, { event: 'requests_limited', ...facts, detail: 'api' });
  if (code === 'insufficient_scope')
    noteRefusal(parts, { event: 'access_denied', ...facts, detail: 'scope' });
}

const API_STATUS = { 401: '401', 403: '403', 429: '429' } as const;

// The name under which an answer is counted for the owner of the application.
function nameOf(status: number): string {
  return status === 401 || status === 403 || status === 429 ? API_STATUS[status] : 'api';
}

/** Log a fault of ours. Other properties of a database error may quote the request, so they are left out. */
export function logFailure(log: Log, { name, message, stack }: Error, what: string): void {
  log.error({ name, message, stack }, what);
}

function addressOf(parts: CallerParts, incoming: BareRequest): string {
  return parts.clientAddress({ env: { incoming } });
}

// Made once, because they are the same for every request.
const NO_TOKEN = new HttpRefusal('missing_token', 'Send an access token as Authorization: Bearer <token>.');
const TOKEN_IN_ADDRESS = new HttpRefusal(
  'missing_token',
  'A token in the address is ignored, and has leaked: addresses end up in logs. Revoke it, and send a new one as Authorization: Bearer <token>.',
);
