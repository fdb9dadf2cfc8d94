// The token and the revocation endpoint (RFC 6749 §3.2, RFC 7009): the transport of both, and their limits.

import type { Context } from 'hono';
import type { Client } from '../../oauth/client.ts';
import {
  authenticateClient,
  type BasicCredentials,
  readBasicCredentials,
} from '../../oauth/client-authentication.ts';
import { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import { checkRevocationForm, revokeToken } from '../../oauth/revocation.ts';
import { answerTokenRequest, checkTokenForm } from '../../oauth/token-request.ts';
import { STATUS_OF } from '../problem.ts';
import { bodyPairs, UnreadableForm } from '../request-form.ts';
import { errorPage } from '../routes.ts';
import type { OAuthDoor } from './door.ts';
import { preflightAnswer } from './preflight.ts';

const MOST_FORM_BYTES = 64 * 1024;
// Contract §4: per application and address, in a minute.
const MOST_FAILED_AUTHENTICATIONS = 20;
const WINDOW_SECONDS = 60;

export function tokenEndpoint(door: OAuthDoor, c: Context): Promise<Response> {
  return serve(door, c, checkTokenForm, (client, form) => answerTokenRequest(door.oauth, client, form));
}

/** RFC 7009 lets clients ignore the body, but real libraries stumble over an empty one. */
export function revocationEndpoint(door: OAuthDoor, c: Context): Promise<Response> {
  return serve(door, c, checkRevocationForm, async (client, form) => {
    await revokeToken(door.oauth, client, form);
    return {};
  });
}

type Answer = (client: Client, form: Form) => Promise<object>;

/** Too many requests; not an error of OAuth, so it has no code of its own. */
class TooMany {
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

async function serve(
  door: OAuthDoor,
  c: Context,
  check: (form: Form) => void,
  answer: Answer,
): Promise<Response> {
  c.header('Access-Control-Allow-Origin', '*');
  c.header('Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate');
  c.header('Cache-Control', 'no-store');
  c.header('Pragma', 'no-cache');
  if (c.req.method === 'OPTIONS') return preflightAnswer(c, 'POST');
  if (c.req.method !== 'POST')
    return c.json(body(door, 'invalid_request', 'Use POST.'), 405, { Allow: 'POST' });
  const header = c.req.header('authorization');
  try {
    const form = new Form(await bodyPairs(c, MOST_FORM_BYTES));
    check(form);
    const client = await identifyClient(door, c, form, readBasicCredentials(header));
    return c.json(await answer(client, form));
  } catch (error) {
    return refuse(door, c, error, header !== undefined);
  }
}

async function identifyClient(
  door: OAuthDoor,
  c: Context,
  form: Form,
  basic: BasicCredentials,
): Promise<Client> {
  const id = (typeof basic === 'object' ? basic.id : form.get('client_id')) ?? '';
  // Bounded, because anyone may send anything as an id.
  const failures = `failed-authentication:${id.slice(0, 40)}:${door.clientAddress(c)}`;
  let client: Client;
  try {
    client = await authenticateClient(door.oauth, form, basic);
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_client') {
      await count(door, failures, MOST_FAILED_AUTHENTICATIONS);
    }
    throw error;
  }
  // Beyond the bound a right guess is not told from a wrong one.
  const failed = await door.counter.look(failures, MOST_FAILED_AUTHENTICATIONS);
  if (!failed.allowed) throw new TooMany(failed.resetSeconds);
  await count(door, `token-endpoint:${client.id}`, door.tokenRateLimitPerMinute);
  return client;
}

async function count(door: OAuthDoor, key: string, limit: number): Promise<void> {
  const hit = await door.counter.hit(key, limit, WINDOW_SECONDS);
  if (!hit.allowed) throw new TooMany(hit.resetSeconds);
}

function refuse(door: OAuthDoor, c: Context, error: unknown, usedHeader: boolean): Response {
  if (error instanceof OAuthError) {
    // RFC 6749 §5.2: only who tried the header is told about it.
    if (error.code === 'invalid_client' && usedHeader) {
      c.header('WWW-Authenticate', `Basic realm="${door.site.baseUrl}", charset="UTF-8"`);
    }
    return c.json(body(door, error.code, error.description), STATUS_OF[error.code]);
  }
  if (error instanceof TooMany) {
    c.header('Retry-After', String(error.retryAfterSeconds));
    return c.json(
      body(door, 'temporarily_unavailable', 'Too many requests; wait before the next.', 'rate_limited'),
      429,
    );
  }
  if (error instanceof UnreadableForm) {
    const status = error.status === 413 ? 413 : 400;
    return c.json(body(door, 'invalid_request', error.message), status);
  }
  throw error;
}

/** An error answer of the two endpoints (RFC 6749 §5.2). */
function body(door: OAuthDoor, error: string, description: string, explainedAs = error): object {
  return { error, error_description: description, error_uri: errorPage(door.site.baseUrl, explainedAs) };
}
