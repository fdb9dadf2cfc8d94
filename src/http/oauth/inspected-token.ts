// Notes the requests to the token and the revocation endpoint for the request inspector.

import type { Context } from 'hono';
import { digestOf } from '../../lib/secrets.ts';
import { type BasicCredentials, readBasicCredentials } from '../../oauth/client-authentication.ts';
import type { Client } from '../../oauth/client-store.ts';
import { OAuthError } from '../../oauth/errors.ts';
import type { Form } from '../../oauth/form.ts';
import type { RequestFacts } from '../../oauth/request-inspector-store.ts';
import { type BrokenRule, credentialName } from '../../oauth/request-rules.ts';
import { readToken } from '../../oauth/token.ts';
import { GRANT_TYPE_NAMES, type TokenResponse } from '../../oauth/token-request.ts';
import { problemOf } from '../problem.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** A request, as far as it got. */
export interface TokenAttempt {
  endpoint: 'token' | 'revoke';
  form?: Form;
  /** Undefined if it was not authenticated. */
  client?: Client;
}

/** Note a request that was answered. `mistakes` did not keep it from succeeding. */
export function noteAnswered(
  parts: OAuthParts,
  c: Context,
  { endpoint, form, client }: Required<TokenAttempt>,
  content: Partial<TokenResponse>,
  mistakes: readonly BrokenRule[] = [],
): void {
  const facts: RequestFacts = {
    endpoint,
    outcome: endpoint === 'token' ? 'tokens_issued' : 'revoked',
    status: 200,
    broken: mistakes,
    ...credentialOf(parts, form, content.access_token),
    ...grantTypeOf(form),
    ...(content.scope !== undefined && { scope: content.scope }),
  };
  send(parts, c, client.id, 'done', facts);
}

const LARGEST_BODY = 64 * 1024;
const CLIENT_ID = /\bapp_[0-9A-Za-z]{22}\b/;

/** Note a request that was refused, if it names an application. */
export async function noteRefused(
  parts: OAuthParts,
  c: Context,
  { endpoint, form, client }: TokenAttempt,
  error: unknown,
): Promise<void> {
  const { status, code } = problemOf(error);
  if (status >= 500) return;
  const clientId = client?.id ?? (await claimedClient(parts, c, form, error));
  if (clientId === undefined) return;
  // Anyone can send a public application's id.
  const kind = client?.kind === 'confidential' ? 'refused' : 'anyone';
  const facts: RequestFacts = {
    endpoint,
    outcome: 'refused',
    status: status === 415 ? 400 : status,
    error: code,
    broken: brokenRules(c, error),
    ...(form !== undefined && { ...credentialOf(parts, form), ...grantTypeOf(form) }),
  };
  send(parts, c, clientId, kind, facts);
}

function send(
  { inspector, clientAddress }: OAuthParts,
  c: Context,
  clientId: string,
  kind: 'done' | 'refused' | 'anyone',
  facts: RequestFacts,
): void {
  const userAgent = c.req.header('user-agent');
  inspector.note({ clientId, kind, facts, address: clientAddress(c), userAgent });
}

async function claimedClient(
  { oauth }: OAuthParts,
  c: Context,
  form: Form | undefined,
  error: unknown,
): Promise<string | undefined> {
  const id =
    basicId(c.req.header('authorization')) ??
    form?.get('client_id') ??
    c.req.query('client_id') ??
    (await idInUnreadBody(c, error));
  return id === undefined ? undefined : (await oauth.reads.findClient(id))?.id;
}

function basicId(header: string | undefined): string | undefined {
  let basic: BasicCredentials;
  try {
    basic = readBasicCredentials(header);
  } catch {
    return undefined;
  }
  return typeof basic === 'object' ? basic.id : undefined;
}

// A body of another type was refused unread. It usually has the id, as JSON or as a form of another encoding.
async function idInUnreadBody(c: Context, error: unknown): Promise<string | undefined> {
  if (!(error instanceof UnreadableForm) || error.status !== 415) return undefined;
  const bytes = await readBytes(c, LARGEST_BODY).catch(() => new Uint8Array());
  return CLIENT_ID.exec(Buffer.from(bytes).toString('latin1'))?.[0];
}

function brokenRules(c: Context, error: unknown): readonly BrokenRule[] {
  if (error instanceof OAuthError) return error.broken === undefined ? [] : [error.broken];
  if (!(error instanceof UnreadableForm)) {
    const isMethod = problemOf(error).code === 'method_not_allowed';
    if (isMethod) return [{ rule: 'method_unsupported', came: c.req.method, expected: ['POST'] }];
    return [{ rule: 'too_many_requests' }];
  }
  if (error.status !== 415) return [{ rule: 'body_unreadable' }];
  const [came = ''] = (c.req.header('content-type') ?? '').split(';');
  return [{ rule: 'content_type_wrong', came, expected: ['application/x-www-form-urlencoded'] }];
}

// The token that the application got, or else the credential that it presented.
function credentialOf({ oauth }: OAuthParts, form: Form, token?: string): Pick<RequestFacts, 'credential'> {
  if (token !== undefined) return { credential: credentialName(digestOf(token)) };
  const text = form.get('code') ?? form.get('refresh_token') ?? form.get('token');
  const presented = text === undefined ? undefined : readToken(text, oauth.brand);
  return presented === undefined ? {} : { credential: credentialName(presented.digest) };
}

function grantTypeOf(form: Form): Pick<RequestFacts, 'grantType'> {
  const grantType = form.get('grant_type');
  return grantType !== undefined && GRANT_TYPE_NAMES.includes(grantType) ? { grantType } : {};
}
