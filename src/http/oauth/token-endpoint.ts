// The token and the revocation endpoint (RFC 6749 §3.2, RFC 7009): the transport of both, and their limits.

import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler } from 'hono';
import {
  authenticateClient,
  type BasicCredentials,
  readBasicCredentials,
  secretUsed,
} from '../../oauth/client-authentication.ts';
import { secretName } from '../../oauth/client-numbers.ts';
import type { Client } from '../../oauth/client-store.ts';
import { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import type { BrokenRule } from '../../oauth/request-rules.ts';
import { checkRevocationForm, isTokenOf, presentedRecord, revokeToken } from '../../oauth/revocation.ts';
import {
  answerTokenRequest,
  checkTokenForm,
  hasIssuedGrant,
  presentedGrant,
} from '../../oauth/token-request.ts';
import { HttpRefusal, problemOf } from '../problem.ts';
import { noteRefusal } from '../refused-requests.ts';
import { bodyPairs } from '../request-form.ts';
import { errorPage } from '../routes.ts';
import { protectiveHeaders } from '../security-headers.ts';
import { noteAnswered, noteRefused, type TokenAttempt } from './inspected-token.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { preflightResponse } from './preflight.ts';

const MOST_FORM_BYTES = 64 * 1024;
// Contract §4: per application and address, in a minute.
const MOST_FAILED_AUTHENTICATIONS = 20;
const WINDOW_SECONDS = 60;

type Headers = Readonly<Record<string, string>>;

/** Build the handlers of both endpoints. */
export function tokenServing(parts: OAuthParts): { token: Handler; revocation: Handler } {
  const common: Headers = { ...protectiveHeaders(parts.site.baseUrl), ...COMMON_HEADERS };
  return {
    token: (c) =>
      serve(parts, c, common, { endpoint: 'token', check: checkTokenForm }, (form) => {
        const grant = presentedGrant(parts.oauth, form);
        return {
          isIssuedTo: (client) => hasIssuedGrant(parts.oauth, client, form, grant),
          async carryOut(client) {
            const content = await answerTokenRequest(
              parts.oauth,
              client,
              form,
              parts.clientAddress(c),
              grant,
            );
            parts.numbers.note(client.id, 'token', parts.oauth.clock());
            return { content };
          },
        };
      }),
    // RFC 7009 lets clients ignore the body, but some libraries fail on an empty one.
    revocation: (c) =>
      serve(parts, c, common, { endpoint: 'revoke', check: checkRevocationForm }, (form) => {
        const record = presentedRecord(parts.oauth, form);
        return {
          isIssuedTo: (client) => isTokenOf(client, record),
          async carryOut(client) {
            const isOwn = await revokeToken(parts.oauth, client, form, record);
            return { content: {}, mistakes: isOwn ? [] : [{ rule: 'token_not_own' }] };
          },
        };
      }),
  };
}

const COMMON_HEADERS: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
};

/** A request whose client is not known yet. */
interface BegunRequest {
  /** Reports whether it has a grant or token that was issued to the client, used or not. */
  isIssuedTo(client: Client): Promise<boolean>;
  /** Does what the authenticated client asks for. Returns the content of the response. */
  carryOut(client: Client): Promise<{ content: object; mistakes?: readonly BrokenRule[] }>;
}

async function serve(
  parts: OAuthParts,
  c: Context,
  common: Headers,
  { endpoint, check }: { endpoint: TokenAttempt['endpoint']; check: (form: Form) => void },
  begin: (form: Form) => BegunRequest,
): Promise<Response> {
  if (c.req.method === 'OPTIONS') return preflightResponse('POST', common);
  const attempt: TokenAttempt = { endpoint };
  if (c.req.method !== 'POST') {
    await noteRefused(parts, c, attempt, new HttpRefusal('method_not_allowed', 'Use POST.'));
    return json(body(parts, 'invalid_request', 'Use POST.'), 405, { ...common, Allow: 'POST' });
  }
  // Node joins repeated headers with a comma, and the result doesn't parse as one Authorization header.
  const header = (c.env as HttpBindings).incoming.headers.authorization;
  try {
    const form = new Form(await bodyPairs(c, MOST_FORM_BYTES));
    attempt.form = form;
    check(form);
    const basic = readBasicCredentials(header);
    // What the form presents is read together with the client.
    const request = begin(form);
    const client = await identifyClient(parts, c, form, basic);
    const ending = secretUsed(parts.oauth, client, form, basic);
    if (ending !== undefined) parts.numbers.noteUse(client.id, secretName(ending), parts.oauth.clock());
    attempt.client = client;
    await countRequest(parts, c, client, request);
    const { content, mistakes } = await request.carryOut(client);
    noteAnswered(parts, c, { endpoint, form, client }, content, mistakes);
    return json(content, 200, common);
  } catch (error) {
    if (attempt.client !== undefined)
      parts.numbers.note(attempt.client.id, problemOf(error).code, parts.oauth.clock());
    await noteRefused(parts, c, attempt, error);
    return refuse(parts, error, common, header !== undefined);
  }
}

// The headers are a plain record, which the adapter passes on without a copy.
function json(content: object, status: number, headers: Headers): Response {
  const text = JSON.stringify(content);
  return new Response(text, { status, headers: { ...headers, 'Content-Type': 'application/json' } });
}

async function identifyClient(
  parts: OAuthParts,
  c: Context,
  form: Form,
  basic: BasicCredentials,
): Promise<Client> {
  const id = (typeof basic === 'object' ? basic.id : form.get('client_id')) ?? '';
  try {
    // The right secret passes in spite of any number of wrong ones: it has too many bits to be guessed.
    return await authenticateClient(parts.oauth, form, basic);
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_client') {
      await countFailedAuthentication(parts, c, id);
    }
    throw error;
  }
}

// Anyone can send a public client's id, so its requests are counted per address (contract §4). Beyond that limit,
// requests with an issued grant count against a second limit, which junk from the same address can't use up. Used
// grants are among them: their replay must end the sign-in.
async function countRequest(
  parts: OAuthParts,
  c: Context,
  client: Client,
  request: BegunRequest,
): Promise<void> {
  const limit = parts.tokenRateLimitPerMinute;
  const onLimit = () => noteLimit(parts, c, client);
  if (client.kind === 'confidential') return count(parts, `token-endpoint:${client.id}`, limit, onLimit);
  const caller = `${client.id}:${parts.clientAddress(c)}`;
  const hit = await parts.counter.hit(`token-endpoint:${caller}`, limit, WINDOW_SECONDS);
  if (hit.allowed) return;
  if (await request.isIssuedTo(client)) {
    return count(parts, `issued-grants:${caller}`, limit, onLimit);
  }
  onLimit();
  throw tooMany(hit.resetSeconds);
}

// An unknown id can be any text, even a password that was sent in the wrong field, so it is left out, and all unknown
// ids count as one application.
async function countFailedAuthentication(parts: OAuthParts, c: Context, id: string): Promise<void> {
  const address = parts.clientAddress(c);
  const client = await parts.oauth.reads.findClient(id);
  const about = client === undefined ? {} : { clientId: client.id };
  noteRefusal(parts, { event: 'client_authentication_failed', ...about, address });
  if (client !== undefined) parts.numbers.note(client.id, 'invalid_client', parts.oauth.clock());
  const key = `failed-authentication:${client?.id ?? 'unknown'}:${address}`;
  await count(parts, key, MOST_FAILED_AUTHENTICATIONS);
}

function noteLimit(parts: OAuthParts, c: Context, { id: clientId }: Client): void {
  const address = parts.clientAddress(c);
  noteRefusal(parts, { event: 'requests_limited', clientId, address, detail: 'token_endpoint' });
}

async function count(parts: OAuthParts, key: string, limit: number, onLimit?: () => void): Promise<void> {
  const hit = await parts.counter.hit(key, limit, WINDOW_SECONDS);
  if (hit.allowed) return;
  onLimit?.();
  throw tooMany(hit.resetSeconds);
}

function tooMany(retryAfterSeconds: number): HttpRefusal {
  return new HttpRefusal('rate_limited', 'Too many requests; wait before the next.', retryAfterSeconds);
}

function refuse(parts: OAuthParts, failure: unknown, common: Headers, usedHeader: boolean): Response {
  const { code, status, detail, retryAfterSeconds } = problemOf(failure);
  if (status >= 500) throw failure;
  // OAuth has no code for too many requests.
  const error = code === 'rate_limited' ? 'temporarily_unavailable' : code;
  // RFC 6749 §5.2: only a client that used the header gets the challenge.
  const isChallenged = code === 'invalid_client' && usedHeader;
  const challenge = `Basic realm="${parts.site.baseUrl}", charset="UTF-8"`;
  // RFC 6749 §5.2 treats a body of another type as a malformed request.
  return json(body(parts, error, detail, code), status === 415 ? 400 : status, {
    ...common,
    ...(isChallenged && { 'WWW-Authenticate': challenge }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': `${retryAfterSeconds}` }),
  });
}

/** An error answer of the two endpoints (RFC 6749 §5.2). */
function body(parts: OAuthParts, error: string, description: string, page = error): object {
  return { error, error_description: description, error_uri: errorPage(parts.site.baseUrl, page) };
}
