// The userinfo endpoint (OpenID Connect Core §5.3, contract §6): the member that an access token belongs to.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import {
  AddressNotAllowed,
  authenticateBearer,
  type Principal,
  readBearerToken,
  requireScope,
} from '../../oauth/bearer-token.ts';
import { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import { subjectOf } from '../../oauth/id-token.ts';
import { noteRefusedCall } from '../inspected-call.ts';
import { problemOf } from '../problem.ts';
import { noteRefusedAddress } from '../refused-requests.ts';
import { profile } from '../representations.ts';
import { bodyPairs } from '../request-form.ts';
import { errorPage, PATHS } from '../routes.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { preflightResponse } from './preflight.ts';

const MOST_FORM_BYTES = 16 * 1024;

/** Answer with the claims. Takes the token in the header or in a form (RFC 6750 §2.2), never in the URL. */
export async function userinfoEndpoint(parts: OAuthParts, c: Context): Promise<Response> {
  if (c.req.method === 'OPTIONS') return preflightResponse('GET, POST', COMMON_HEADERS);
  for (const [name, value] of Object.entries(COMMON_HEADERS)) c.header(name, value);
  if (c.req.method !== 'GET' && c.req.method !== 'POST') return c.body(null, 405, { Allow: 'GET, POST' });
  let caller: Principal | undefined;
  try {
    const token = await readToken(c);
    if (token === undefined) {
      challenge(parts, c);
      return c.json(
        refusal(parts, 'missing_token', 'Send an access token in the Authorization header.'),
        401,
      );
    }
    const principal = await authenticateBearer(parts.oauth, token, () => ({
      address: parts.clientAddress(c),
      userAgent: c.req.header('user-agent'),
      endpoint: PATHS.userinfo,
    }));
    caller = principal;
    noteReading(parts, c, principal);
    requireScope(principal, 'openid');
    parts.inspector.noteRead(principal, PATHS.userinfo, 200);
    return c.json(claimsOf(parts, principal));
  } catch (error) {
    if (error instanceof AddressNotAllowed) noteRefusedAddress(parts, error, parts.clientAddress(c));
    const problem = problemOf(error);
    const { code, status, detail } = problem;
    if (status >= 500) throw error;
    const { incoming } = c.env as HttpBindings;
    noteRefusedCall(parts, incoming, { endpoint: 'userinfo', path: PATHS.userinfo, caller, problem, error });
    if (error instanceof OAuthError) {
      const scope = code === 'insufficient_scope' ? ', scope="openid"' : '';
      challenge(parts, c, `, error="${code}", error_description="${detail}"${scope}`);
    }
    return c.json(refusal(parts, code, detail), status);
  }
}

function refusal({ site }: OAuthParts, error: string, description: string): object {
  return { error, error_description: description, error_uri: errorPage(site.baseUrl, error) };
}

function noteReading(parts: OAuthParts, c: Context, principal: Principal): void {
  parts.diary.note(principal, {
    reading: principal.scopes.includes('profile:read') ? 'claims' : 'subject',
    status: principal.scopes.includes('openid') ? 200 : 403,
    posts: 0,
    address: parts.clientAddress(c),
    userAgent: c.req.header('user-agent'),
  });
}

const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
};

async function readToken(c: Context): Promise<string | undefined> {
  const headerToken = readBearerToken(c.req.header('authorization'));
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  if (c.req.method !== 'POST' || !isForm) return headerToken;
  const form = new Form(await bodyPairs(c, MOST_FORM_BYTES));
  form.refuseMalformed();
  const bodyToken = form.get('access_token');
  if (headerToken !== undefined && bodyToken !== undefined) {
    throw new OAuthError('invalid_request', 'Send the token in the header or in the body, not in both.');
  }
  return headerToken ?? bodyToken;
}

function claimsOf(parts: OAuthParts, { user, scopes }: Principal): object {
  const sub = subjectOf(user.id);
  if (!scopes.includes('profile:read')) return { sub };
  const { username, avatarUrl, profileUrl } = profile(user, parts.site.baseUrl, parts.oauth.clock());
  return { sub, preferred_username: username, picture: avatarUrl, profile: profileUrl };
}

// RFC 6750 §3.1: a request without a token gets a challenge without an error code.
function challenge(parts: OAuthParts, c: Context, error = ''): void {
  c.header('WWW-Authenticate', `Bearer realm="${parts.site.baseUrl}"${error}`);
}
